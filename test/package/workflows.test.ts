import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NoOperationTraceWriter, parseWorkflow } from '@actions/workflow-parser';
import { parse } from 'yaml';

import packageJson from '../../package.json';
import { newestSupported, oldestSupported } from '../harness/versions';
import { PROJECT, read } from '../../tools/documents/markdown';

interface Job {
	strategy?: { matrix: Record<string, unknown[]> };
	permissions?: Record<string, string>;
	needs?: string;
	if?: string;
	steps?: Array<{ uses?: string; run?: string; env?: Record<string, string> }>;
}

const FOLDER = '.github/workflows';
const names = readdirSync(join(PROJECT, FOLDER));
const workflows = names.map((name) => {
	const text = read(`${FOLDER}/${name}`);
	const { jobs } = parse(text) as { jobs: Record<string, Job> };
	return { name, text, jobs };
});
const ci = workflows.find(({ name }) => name === 'ci.yml')!.jobs;
test.each(workflows)("$name is what GitHub's own parser accepts", ({ name, text }) => {
	const { context } = parseWorkflow({ name, content: text }, new NoOperationTraceWriter());
	expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
});

test('every action is of GitHub itself, and pinned to a commit beside its version', () => {
	const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (actions\/.*|[^.].*)/g)]);
	expect(used.length).toBeGreaterThan(5);
	for (const [, each] of used)
		expect(each).toMatch(/^actions\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/);
});

function listSteps(flag: string): string[] {
	return execFileSync('.ci/run', [flag], { cwd: PROJECT, encoding: 'utf8' }).trim().split('\n');
}

/** The steps of .ci/run that a job runs, by name or through its matrix. */
function findSteps({ strategy, steps: own = [] }: Job): string[] {
	const calls = own.flatMap(
		({ run = '' }) => /^\.ci\/run (.+)$/.exec(run)?.[1].split(/ (?![^{]*})/) ?? [],
	);
	return calls.flatMap((each) =>
		each.startsWith('$') ? (strategy!.matrix.step as string[]) : each,
	);
}

test.each([
	['ci.yml', '--list'],
	['nightly.yml', '--list-night'],
])('%s runs the steps that .ci/run lists for it, each of them and no other', (name, flag) => {
	const { jobs } = workflows.find((each) => each.name === name)!;
	const called = new Set(Object.values(jobs).flatMap(findSteps));
	const wanted = new Set(['install', ...listSteps(flag)]);
	expect([...called].sort()).toEqual([...wanted].sort());
});

test('.ci/run and the workflows name only npm scripts that exist', () => {
	const NPM_OWN = ['ci', 'config', 'pack', 'publish', 'test'];
	const texts = [read('.ci/run'), ...workflows.map(({ text }) => text)];
	const named = texts.flatMap((text) =>
		[...text.matchAll(/\bnpm (?:run )?([\w:]+)/g)].map(([, script]) => script),
	);
	const known = [...NPM_OWN, ...Object.keys(packageJson.scripts)];
	expect(named.filter((script) => !known.includes(script))).toEqual([]);
	expect(named).toEqual(expect.arrayContaining(['check', 'scan', 'test', 'bench']));
});

test('the tests run on every supported Node.js and n8n', () => {
	expect(ci.test.strategy?.matrix.node).toEqual([20, 22, 24]);
	expect(packageJson.engines.node).toBe('>=20.19');
	expect(ci.n8n.strategy?.matrix.n8n).toEqual([oldestSupported, newestSupported]);
});

describe('A release', () => {
	const { jobs } = workflows.find(({ name }) => name === 'release.yml')!;
	const getRuns = (job: string) => jobs[job].steps!.map(({ run = '' }) => run).join('\n');

	test('is built and checked after CI, and published from what was checked', () => {
		expect([jobs.build.needs, jobs.publish.needs, jobs.page.needs]).toEqual([
			'ci',
			'build',
			'publish',
		]);
		expect(getRuns('build')).toMatch(/tools\/release[^]*npm run scan/);
		expect(getRuns('publish')).toMatch(/npm publish .*--provenance/);
	});

	test.each(['publish', 'publish-simulator'])(
		'is published by a job that proves who it is and runs nothing of the project: %s',
		(name) => {
			expect(jobs[name]).toMatchObject({ environment: 'npm', needs: 'build' });
			expect(jobs[name].permissions).toEqual({ 'id-token': 'write' });
			expect(JSON.stringify(jobs[name].steps)).not.toMatch(/checkout|npm ci|npm run/);
		},
	);

	test('is there in English and, under a tag of its own, in Chinese; both are on its page', () => {
		const version = '${GITHUB_REF_NAME#v}';
		const [english, chinese] = getRuns('publish').match(/^npm publish .*/gm)!;
		expect(english).toContain(`n8n-nodes-yuntongxun-${version}.tgz" --ignore`);
		expect(chinese).toContain(`n8n-nodes-yuntongxun-${version}-zh.0.tgz" --tag zh --ignore`);
		expect(getRuns('build')).toContain('cp .cache/n8n-nodes-yuntongxun-*.tgz');
		expect(getRuns('page')).toContain('n8n-nodes-yuntongxun-*.tgz');
		expect(packageJson.scripts.scan).toContain('npm run scan:zh');
	});

	test('has the simulator published only where somebody wants that', () => {
		expect(jobs['publish-simulator'].if).toBe("vars.PUBLISH_SIMULATOR == 'yes'");
	});

	test('gets its page from a job that may write nothing else', () => {
		expect(jobs.page.permissions).toEqual({ contents: 'write' });
		expect(JSON.stringify(jobs.page.steps)).not.toMatch(/checkout|npm ci|npm run/);
	});
});

test('No other job than these may write', () => {
	for (const { name, text, jobs } of workflows) {
		expect(parse(text)).toMatchObject({ permissions: { contents: 'read' } });
		for (const [job, { permissions }] of Object.entries(jobs)) {
			const mayWrite = ['publish', 'publish-simulator', 'page'].map(
				(each) => `release.yml/${each}`,
			);
			if (!mayWrite.includes(`${name}/${job}`)) expect(permissions).toBeUndefined();
		}
	}
});

test('Dependabot looks after npm packages and actions', () => {
	const { updates } = parse(read('.github/dependabot.yml')) as {
		updates: Array<{ 'package-ecosystem': string }>;
	};
	expect(updates.map((each) => each['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});

test.each(['bug.yml', 'idea.yml'])('the issue form %s opens with a warning of secrets', (name) => {
	const form = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as {
		name: string;
		description: string;
		body: Array<{ type: string; attributes: { value?: string } }>;
	};
	expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
	expect(form.body[0].type).toBe('markdown');
	expect(form.body[0].attributes.value).toMatch(/Paste no secrets.*token.*phone number/is);
});

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
const steps = workflows.flatMap(({ jobs }) =>
	Object.values(jobs).flatMap((job) => job.steps ?? []),
);

/** The npm scripts that a workflow runs, by name or through its matrix. */
const scriptsRun = new Set(
	workflows.flatMap(({ jobs }) =>
		Object.values(jobs).flatMap(({ strategy, steps: own = [] }) =>
			own.flatMap(({ run = '' }) =>
				[...run.matchAll(/\bnpm (?:run )?(?:--silent )?(\$\{\{ matrix\.script \}\}|[\w:]+)/g)]
					.flatMap(([, script]) => (script.startsWith('$') ? strategy!.matrix.script : [script]))
					.map(String),
			),
		),
	),
);

test.each(workflows)("$name is what GitHub's own parser accepts", ({ name, text }) => {
	const { context } = parseWorkflow({ name, content: text }, new NoOperationTraceWriter());
	expect(context.errors.getErrors().map(({ message }) => message)).toEqual([]);
});

test('every action is of GitHub itself and has a version tag', () => {
	const used = steps.flatMap(({ uses }) => uses ?? []);
	expect(used.length).toBeGreaterThan(5);
	for (const each of used) expect(each).toMatch(/^actions\/[\w-]+@v\d+$/);
});

test('every script that checks something is run by a workflow, and no other name', () => {
	const NPM_OWN = ['ci', 'publish', 'test'];
	const checks = Object.keys(packageJson.scripts).filter((name) =>
		/^(check|scan|bench|test($|:))/.test(name),
	);
	// For use by hand: parts of `npm test`, and what the nightly workflow runs side by side.
	const apart = ['test:types', 'test:unit', 'test:nightly'];
	expect([...scriptsRun]).toEqual(
		expect.arrayContaining(checks.filter((name) => !apart.includes(name))),
	);
	expect([...NPM_OWN, ...Object.keys(packageJson.scripts)]).toEqual(
		expect.arrayContaining([...scriptsRun]),
	);
});

test('the tests run on every supported Node.js and n8n', () => {
	expect(ci.test.strategy?.matrix.node).toEqual([20, 22, 24]);
	expect(packageJson.engines.node).toBe('>=20.19');
	expect(ci.n8n.strategy?.matrix.n8n).toEqual([oldestSupported, newestSupported]);
});

test('the tests of all Jest projects run', () => {
	// eslint-disable-next-line @typescript-eslint/no-require-imports -- a CommonJS file without types
	const { projects } = require('../../jest.config.js') as {
		projects: Array<{ displayName: string }>;
	};
	const selected = (ci.test.strategy?.matrix.tests as string[])
		.flatMap((each) => each.match(/"[^"]+"|\S+/g) ?? [])
		.map((each) => each.replaceAll('"', ''));
	expect(selected.sort()).toEqual(projects.map(({ displayName }) => displayName).sort());
});

test('a release is published with provenance, after its notes and all checks', () => {
	const { jobs } = workflows.find(({ name }) => name === 'release.yml')!;
	expect(jobs.publish).toMatchObject({
		needs: 'ci',
		environment: 'npm',
		permissions: { 'id-token': 'write' },
	});
	const runs = jobs.publish.steps!.map(({ run = '' }) => run);
	const at = (words: string) => runs.findIndex((run) => run.includes(words));
	expect(at('release:notes')).toBeGreaterThan(0);
	expect(at('npm run scan')).toBeGreaterThan(at('release:notes'));
	expect(at('npm publish')).toBeGreaterThan(at('npm run scan'));
	expect(runs[at('npm publish')]).toContain('--provenance');
});

test('no other job than the publishing one may write', () => {
	for (const { name, text, jobs } of workflows) {
		expect(parse(text)).toMatchObject({ permissions: { contents: 'read' } });
		for (const [job, { permissions }] of Object.entries(jobs)) {
			if (`${name}/${job}` !== 'release.yml/publish') expect(permissions).toBeUndefined();
		}
	}
});

test('Dependabot looks after npm packages and actions', () => {
	const { updates } = parse(read('.github/dependabot.yml')) as {
		updates: Array<{ 'package-ecosystem': string; ignore?: Array<{ 'dependency-name': string }> }>;
	};
	expect(updates.map((each) => each['package-ecosystem'])).toEqual(['npm', 'github-actions']);
	const ignored = updates.flatMap(({ ignore = [] }) =>
		ignore.map((each) => each['dependency-name']),
	);
	const installed = Object.keys(packageJson.devDependencies);
	for (const name of ignored) {
		expect(installed.some((each) => each.startsWith(name.replace('*', '')))).toBe(true);
	}
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

/**
 * Measures speed and writes the figures to docs/maintainers/benchmarks.md:
 *
 *     npm run bench [-- --rounds 3] [--only calls,cpu] [--tarball earlier.tgz]
 *
 * `--only` runs some sections, `--tarball` another build of the package to compare with; both write
 * nothing. Exits with 1 if an aim is missed, with the aims that are. These are no tests: the figures
 * depend on the machine and its load.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { version } from '../../package.json';
import { packTarball } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import { LATENCY_MS, openArena, type Arena } from './arena';
import { markdown, type Section } from './report';
import { callsSection } from './sections/calls';
import { cpuSection } from './sections/cpu';
import { notificationsSection } from './sections/notifications';
import { waitingSection } from './sections/waiting';

const REPORT = resolve(projectFolder, 'docs/maintainers/benchmarks.md');

/** First the sections without n8n, while the machine is quiet. */
const ALONE: Record<string, (tarball: string) => Section | Promise<Section>> = {
	cpu: cpuSection,
};

const IN_N8N: Record<string, (arena: Arena, rounds: number) => Promise<Section>> = {
	calls: callsSection,
	notifications: notificationsSection,
	waiting: waitingSection,
};

/** @returns how many aims are missed */
async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			rounds: { type: 'string', default: '3' },
			only: { type: 'string' },
			tarball: { type: 'string' },
		},
	});
	const rounds = Number(values.rounds);
	const chosen = values.only?.split(',') ?? [...Object.keys(IN_N8N), ...Object.keys(ALONE)];
	const tarball = values.tarball ? resolve(values.tarball) : await packTarball();
	const texts = new Map<string, string>();
	const missed: string[] = [];
	const take = (name: string, section: Section) => {
		const unmet = section.verdicts.filter(({ met }) => !met);
		missed.push(...unmet.map(({ aim, seen }) => `${name}: ${aim}; seen ${seen}`));
		texts.set(name, markdown(section));
		console.log(`${texts.get(name)}\n`);
	};
	for (const [name, measure] of Object.entries(ALONE)) {
		if (chosen.includes(name)) take(name, await measure(tarball));
	}
	const inN8n = Object.entries(IN_N8N).filter(([name]) => chosen.includes(name));
	if (inN8n.length > 0) {
		const arena = await openArena(tarball);
		try {
			for (const [name, measure] of inN8n) take(name, await measure(arena, rounds));
			if (!values.only && !values.tarball)
				await write(
					arena,
					chosen.map((name) => texts.get(name) ?? ''),
				);
		} finally {
			await arena.close();
		}
	}
	if (missed.length > 0) console.log(`Missed:\n${missed.join('\n')}`);
	return missed.length;
}

async function write({ n8n: { n8n } }: Arena, sections: string[]): Promise<void> {
	const node = execFileSync(n8n.runtime.node, ['--version'], { encoding: 'utf8' }).trim();
	const [{ model }] = cpus();
	const gigabytes = (totalmem() / 1024 ** 3).toFixed(0);
	const head = `# Benchmarks

For maintainers: how fast the node is beside n8n's own nodes, and what has become slower. Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: package ${version}, n8n ${n8n.version} on Node.js ${node}, ${cpus().length} × ${model}, ${gigabytes} GB, ${process.platform}. n8n and the simulated service share the machine; the service takes ${LATENCY_MS} ms to answer. Compare ratios rather than times: times differ from machine to machine.`;
	const text = [head, ...sections, readByHand()].join('\n\n');
	const options = await resolveConfig(REPORT);
	writeFileSync(REPORT, await format(text, { ...options, parser: 'markdown' }));
}

/** What stands in the report by hand, at its end: the figures of `.ci/run queue`. */
function readByHand(): string {
	const report = readFileSync(REPORT, 'utf8');
	const start = report.indexOf('## Queue mode');
	return start < 0 ? '' : report.slice(start);
}

main()
	.then((missed) => {
		process.exitCode = missed === 0 ? 0 : 1;
	})
	.catch((error: Error) => {
		console.error(error.stack);
		process.exitCode = 1;
	});

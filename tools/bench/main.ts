/**
 * Measures speed, and prints the figures:
 *
 *     npm run bench [-- --rounds 3] [--only calls,cpu] [--tarball other.tgz]
 *
 * `--only` runs some sections, `--tarball` another build of the package to compare with. These are no tests:
 * the figures depend on the machine and its load.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packTarball } from '../../test/harness/pack';
import type { Setup } from '../../test/harness/setup';
import { startBenchN8n } from './benchN8n';
import { describeSection, type Section } from './report';
import { callsSection } from './sections/calls';
import { cpuSection } from './sections/cpu';
import { idsSection } from './sections/ids';
import { waitingSection } from './sections/waiting';

const IN_N8N: Record<string, (setup: Setup, rounds: number) => Promise<Section>> = {
	calls: callsSection,
	ids: idsSection,
	waiting: waitingSection,
};

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			rounds: { type: 'string', default: '3' },
			only: { type: 'string' },
			tarball: { type: 'string' },
		},
	});
	const chosen = values.only?.split(',') ?? ['cpu', ...Object.keys(IN_N8N)];
	const tarball = values.tarball ? resolve(values.tarball) : await packTarball();
	const show = (section: Section): void => console.log(`${describeSection(section)}\n`);
	// First, while the machine is quiet.
	if (chosen.includes('cpu')) show(await cpuSection());
	const inN8n = Object.entries(IN_N8N).filter(([name]) => chosen.includes(name));
	if (inN8n.length === 0) return;
	const setup = await startBenchN8n(tarball);
	try {
		for (const [, measure] of inN8n) show(await measure(setup, Number(values.rounds)));
	} finally {
		await setup.stop();
	}
}

main().catch((error: Error) => {
	console.error(error.stack);
	process.exitCode = 1;
});

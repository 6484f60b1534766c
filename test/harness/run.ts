/**
 * Runs the tests of a layer that takes real n8n: `tsx test/harness/run.ts <layer> [jest arguments]`, on the
 * versions that `N8N_VERSIONS` names, or on those that are supported; outside CI some layers try the newest only. What
 * else a layer takes `.ci/run` looks after.
 *
 * `newest` is the layer `n8n` on the newest n8n that npm has, supported yet or not, so that a break is known before
 * users meet it. That stays a 2.x: from 3 on n8n comes as a container image only, which test/hosting/docker.sh looks
 * after. What n8n 3 still publishes on npm is its engine, on which the engine tests run.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { ensureInstalled, installN8n } from './install';
import { packTarball } from './pack';
import { n8nCacheFolder } from './paths';
import { runCommand } from './processes';
import { versionsToTest } from './setup';
import { isNewer, newestSupported, oldestSupported } from './versions';

const [chosen, ...jestArguments] = process.argv.slice(2);

/** @returns Jest's exit code */
async function runJest(more: Record<string, string>): Promise<number> {
	const env = { ...process.env, ...more };
	const program = require.resolve('jest/bin/jest');
	const jest = spawn(process.execPath, [program, ...jestArguments], { stdio: 'inherit', env });
	const [code] = (await once(jest, 'exit')) as [number | null];
	return code ?? 1;
}

/** Installs what is missing, packs the package, and runs Jest. */
async function runOnN8n(versions: string[], layer: string): Promise<number> {
	for (const version of versions) await installN8n(version);
	const tarball = await packTarball();
	return await runJest({
		JEST_LAYER: layer,
		N8N_VERSIONS: versions.join(','),
		YUNTONGXUN_TARBALL: tarball,
	});
}

/** The newest version of a package that npm has. */
async function askNpm(name: string): Promise<string> {
	// npm may print warnings before it.
	const printed = await runCommand('npm', ['view', name, 'version']);
	return printed.trim().split(/\s/).at(-1) ?? '';
}

/** Runs the engine tests on an n8n-core newer than the project's own. */
async function runOnNewestEngine(): Promise<number> {
	const newest = await askNpm('n8n-core');
	const own = devDependencies['n8n-core'];
	console.log(`The newest n8n-core is ${newest}; npm test has ${own}.`);
	if (!isNewer(newest, own)) return 0;
	const target = join(n8nCacheFolder(), `core-${newest}`);
	const manifest = { dependencies: { 'n8n-core': newest } };
	const title = `n8n-core ${newest}`;
	await ensureInstalled({ title, manifest, target, builtFor: 'any Node.js' });
	return await runJest({ JEST_LAYER: 'core', N8N_CORE: join(target, 'node_modules') });
}

async function main(): Promise<number> {
	if (chosen !== 'newest') {
		const isThorough = chosen === 'n8n' || (process.env.CI && chosen !== 'hosting');
		const supported = isThorough ? [oldestSupported, newestSupported] : [newestSupported];
		return await runOnN8n(versionsToTest(supported), chosen);
	}
	const newest = await askNpm('n8n');
	console.log(`The newest n8n is ${newest}; the newest supported is ${newestSupported}.`);
	return Math.max(await runOnNewestEngine(), await runOnN8n([newest], 'n8n'));
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));

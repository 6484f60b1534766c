/**
 * Runs the tests on the newest n8n there is, supported yet or not: `.ci/run newest [-- <jest
 * arguments>]`. For the nightly run, so that a break is known before users meet it.
 *
 * npm's newest n8n stays a 2.x: from 3 on n8n comes as a container image only. So this also asks the image for
 * its version, and fails where that is newer than npm's, since then nothing here has tried it. What n8n 3
 * still publishes on npm is its engine, on which the engine tests run.
 */
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { ensureInstalled } from '../harness/datedInstall';
import { runJest, runJestOnN8n } from '../harness/jestOnN8n';
import { n8nCacheFolder } from '../harness/paths';
import { cleanEnvironment, runCommand } from '../harness/processes';
import { Progress } from '../harness/progress';
import { isNewer, newestSupported } from '../harness/versions';

const JEST_ARGUMENTS = process.argv.slice(2);

const IMAGE = 'docker.n8n.io/n8nio/n8n';

/** The newest version of a package that npm has. */
async function askNpm(name: string): Promise<string> {
	// npm may print warnings before it.
	const printed = await runCommand('npm', ['view', name, 'version'], { cwd: __dirname });
	return printed.trim().split(/\s/).at(-1) ?? '';
}

/** The version of n8n's newest image; undefined where there is no Docker, or no way to the image. */
async function askImage(): Promise<string | undefined> {
	const printed = await runCommand('docker', ['run', '--rm', '--pull=always', IMAGE, '--version'], {
		cwd: __dirname,
	}).catch(() => '');
	return /^\d+\.\d+\.\d+\S*$/m.exec(printed)?.[0];
}

/** Whether the newest image has been tried, by way of npm. */
function judgeImage(image: string | undefined, onNpm: string): boolean {
	if (image === undefined) {
		console.log('There is no Docker here, so nobody has looked for an image newer than that.');
		return process.env.CI === undefined;
	}
	if (!isNewer(image, onNpm)) return true;
	console.log(
		`n8n ${image} is out as an image, and npm does not have it: NOT TRIED. How to: CONTRIBUTING.md, "Release".`,
	);
	return false;
}

/** Runs the engine tests on an n8n-core newer than the project's own. @returns Jest's exit code */
async function runEngine(): Promise<number> {
	const newest = await askNpm('n8n-core');
	const own = devDependencies['n8n-core'];
	console.log(`The newest n8n-core is ${newest}; npm test has ${own}.`);
	if (!isNewer(newest, own)) return 0;
	const target = join(n8nCacheFolder(), `core-${newest}`);
	await ensureInstalled(
		{
			title: `n8n-core ${newest}`,
			manifest: { dependencies: { 'n8n-core': newest } },
			target,
			env: cleanEnvironment(),
			nativeModules: [],
			builtFor: 'any Node.js',
		},
		new Progress(process.stdout),
	);
	return await runJest(
		{ JEST_LAYER: 'core', N8N_CORE: join(target, 'node_modules') },
		JEST_ARGUMENTS,
	);
}

async function main(): Promise<number> {
	const onNpm = await askNpm('n8n');
	const image = await askImage();
	console.log(
		`The newest n8n is ${onNpm} on npm and ${image ?? 'unknown'} as an image; the newest supported is ${newestSupported}.`,
	);
	const isTried = judgeImage(image, onNpm);
	const codes = [await runEngine(), await runJestOnN8n([onNpm], 'n8n', JEST_ARGUMENTS)];
	return isTried ? Math.max(...codes) : 1;
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));

/**
 * Breaks every guard, one at a time, in copies of this project, and tells which of them no test
 * notices: `.ci/run guards [-- <part of a guard's name>]`.
 */
import { execFile, execFileSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DEFAULT_CA_FOLDER, ensureCertificateAuthority } from '../../../simulator/index';
import { GUARDS, type Guard } from './guardTable';

const ROOT = resolve(__dirname, '../../..');
const LIMIT_MS = 10 * 60_000;

/** What jest tells of one test file, so far as it is read. */
interface JestReport {
	numPassedTests: number;
	numFailedTests: number;
	testResults: Array<{
		message: string;
		assertionResults: Array<{ status: string; fullName: string }>;
	}>;
}

/** A copy of what is under version control, with the same installed packages. */
function copyOfProject(): string {
	const folder = mkdtempSync(join(tmpdir(), 'guards-'));
	const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
		cwd: ROOT,
		encoding: 'utf8',
	});
	for (const file of files.trim().split('\n')) {
		if (file === 'node_modules') continue;
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		cpSync(join(ROOT, file), join(folder, file));
	}
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	// The simulator of the copy shows certificates of the same authority.
	mkdirSync(join(folder, '.cache'));
	symlinkSync(DEFAULT_CA_FOLDER, join(folder, '.cache/simulator-ca'));
	return folder;
}

/** Runs one test file in a copy. */
async function runTest(folder: string, test: string, caFile: string): Promise<JestReport> {
	const output = join(folder, 'report.json');
	rmSync(output, { force: true });
	await promisify(execFile)(
		process.execPath,
		[
			join(ROOT, 'node_modules/jest/bin/jest.js'),
			...['--selectProjects', 'engine 2.41', '--runTestsByPath', join(folder, test)],
			...['--json', '--outputFile', output, '--silent', '--runInBand'],
		],
		{
			cwd: folder,
			timeout: LIMIT_MS,
			maxBuffer: 64 * 1024 * 1024,
			env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile },
		},
	).catch(() => undefined);
	return JSON.parse(readFileSync(output, 'utf8')) as JestReport;
}

/** The source with the guard broken. */
function broken(source: string, { find, replace, name, file }: Guard): string {
	const places = source.split(find).length - 1;
	if (places !== 1) throw new Error(`${name}: ${file} holds ${places} times: ${find}`);
	return source.replace(find, () => replace);
}

interface Verdict {
	guard: Guard;
	/** The tests that turned red; empty where none noticed. */
	noticed: string[];
	/** Why nothing could be found out. */
	trouble?: string;
}

async function tryGuard(folder: string, guard: Guard, caFile: string): Promise<Verdict> {
	const file = join(folder, guard.file);
	const source = readFileSync(file, 'utf8');
	try {
		writeFileSync(file, broken(source, guard));
		const report = await runTest(folder, guard.test, caFile);
		const noticed = report.testResults.flatMap(({ assertionResults }) =>
			assertionResults.filter(({ status }) => status === 'failed').map((each) => each.fullName),
		);
		// A file that does not even load shows nothing about the guard.
		const trouble = report.numPassedTests === 0 ? report.testResults[0]?.message : undefined;
		return { guard, noticed, ...(trouble && { trouble }) };
	} catch (error) {
		return { guard, noticed: [], trouble: error instanceof Error ? error.message : String(error) };
	} finally {
		writeFileSync(file, source);
	}
}

async function inCopies<T, R>(
	things: readonly T[],
	work: (folder: string, thing: T) => Promise<R>,
): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const worker = async (): Promise<void> => {
		const folder = copyOfProject();
		try {
			while (next < things.length) {
				const place = next++;
				results[place] = await work(folder, things[place]);
			}
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	};
	await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
	return results;
}

async function main(): Promise<number> {
	const wanted = process.argv[2]?.toLowerCase() ?? '';
	const guards = GUARDS.filter(({ name }) => name.toLowerCase().includes(wanted));
	const { file: caFile } = await ensureCertificateAuthority();

	const tests = [...new Set(guards.map(({ test }) => test))];
	const whole = await inCopies(tests, async (folder, test) => {
		const report = await runTest(folder, test, caFile);
		console.log(`${`${report.numPassedTests} green`.padEnd(16)} ${test}, nothing broken`);
		return { test, report };
	});
	const isRed = ({ numFailedTests, numPassedTests }: JestReport) =>
		numFailedTests > 0 || numPassedTests === 0;
	const red = new Set(whole.filter(({ report }) => isRed(report)).map(({ test }) => test));

	const verdicts = await inCopies(guards, async (folder, guard) => {
		const verdict: Verdict = red.has(guard.test)
			? { guard, noticed: [], trouble: 'it is red before anything is broken' }
			: await tryGuard(folder, guard, caFile);
		const { noticed, trouble } = verdict;
		const sign = trouble
			? 'cannot be tried'
			: noticed.length > 0
				? `${noticed.length} red`
				: 'NOT NOTICED';
		console.log(
			`${sign.padEnd(16)} ${guard.name}\n${' '.repeat(17)}${guard.test}: ${trouble ?? noticed[0] ?? 'all green'}`,
		);
		return verdict;
	});
	const good = verdicts.filter(({ noticed, trouble }) => noticed.length > 0 && !trouble);
	console.log(`\nGuards: ${guards.length} broken one at a time, ${good.length} noticed by a test`);
	return good.length === guards.length ? 0 : 1;
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);

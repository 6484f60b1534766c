import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';

import { newestSupported, oldestSupported } from '../n8n/harness/versions';

const PROJECT = join(__dirname, '../..');
/** Reading a whole n8n-workflow and all sources takes the compiler some seconds. */
const COMPILING = 120_000;

const installed = (fromPackage: string) =>
	dirname(
		require.resolve('n8n-workflow/package.json', {
			paths: [dirname(require.resolve(fromPackage))],
		}),
	);

/** The oldest and the newest supported n8n, and where the types that it ships are installed here. */
const SUPPORTED = [
	{ n8n: oldestSupported, types: installed('n8n-core-v1') },
	{ n8n: newestSupported, types: installed('n8n-core') },
] as const;

const settings = ts.getParsedCommandLineOfConfigFile(
	join(PROJECT, 'tsconfig.json'),
	{ noEmit: true, rootDir: '/' },
	{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => fail(messageText) },
)!;

function fail(message: string | ts.DiagnosticMessageChain): never {
	throw new Error(ts.flattenDiagnosticMessageText(message, '\n'));
}

/** What the compiler says about the files with this n8n-workflow, each with its place. */
function refusals(files: string[], types: string): string[] {
	const program = ts.createProgram(files, {
		...settings.options,
		paths: { 'n8n-workflow': [types] },
	});
	return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
		const line =
			file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
		return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
	});
}

describe.each(SUPPORTED)('With the type definitions of n8n $n8n', ({ n8n, types }) => {
	test('these are the ones that this n8n ships', () => {
		const lock = JSON.parse(
			readFileSync(join(PROJECT, 'test/n8n/versions', n8n, 'package-lock.json'), 'utf8'),
		) as { packages: Record<string, { version: string }> };
		const { version } = JSON.parse(readFileSync(join(types, 'package.json'), 'utf8')) as {
			version: string;
		};
		expect(version).toBe(lock.packages['node_modules/n8n-workflow'].version);
	});

	test(
		'everything that is published compiles',
		() => {
			expect(settings.fileNames.length).toBeGreaterThan(40);
			expect(refusals(settings.fileNames, types)).toEqual([]);
		},
		COMPILING,
	);
});

/** Names that one of the two lacks: they show that each compilation reads its own definitions. */
test.each([
	{ name: 'sleepWithAbort', refusedBy: newestSupported },
	{ name: 'sanitizeXmlName', refusedBy: oldestSupported },
])(
	'a use of $name is refused by n8n $refusedBy alone',
	({ name, refusedBy }) => {
		const folder = mkdtempSync(join(tmpdir(), 'yuntongxun-types-'));
		try {
			const file = join(folder, 'use.ts');
			writeFileSync(file, `export { ${name} } from 'n8n-workflow';`);
			for (const { n8n, types } of SUPPORTED) {
				expect(refusals([file], types)).toEqual(
					n8n === refusedBy ? [expect.stringContaining(`no exported member '${name}'`)] : [],
				);
			}
		} finally {
			rmSync(folder, { recursive: true });
		}
	},
	COMPILING,
);

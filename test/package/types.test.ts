import { dirname, join } from 'node:path';
import ts from 'typescript';

import { newestSupported, oldestSupported } from '../harness/versions';

const PROJECT = join(__dirname, '../..');
/** Milliseconds. The compiler takes some seconds for n8n-workflow and all sources. */
const COMPILING = 120_000;

/** The folder of the n8n-workflow that a package brings. */
function findWorkflow(fromPackage: string): string {
	const paths = [dirname(require.resolve(fromPackage))];
	return dirname(require.resolve('n8n-workflow/package.json', { paths }));
}

/**
 * The oldest and the newest supported n8n, and where the types that it ships are installed here;
 * test/n8n/package.test.ts holds that they are these.
 */
const SUPPORTED = [
	{ n8n: oldestSupported, types: dirname(require.resolve('n8n-workflow-v1/package.json')) },
	{ n8n: newestSupported, types: findWorkflow('n8n-core') },
] as const;

const settings = ts.getParsedCommandLineOfConfigFile(
	join(PROJECT, 'tsconfig.json'),
	{ noEmit: true, rootDir: '/' },
	{ ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => fail(messageText) },
)!;

function fail(message: string | ts.DiagnosticMessageChain): never {
	throw new Error(ts.flattenDiagnosticMessageText(message, '\n'));
}

/** Reads each file once for both compilations. */
const host = ts.createCompilerHost(settings.options);
const readSource = host.getSourceFile.bind(host);
const sources = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (file, language) => {
	if (!sources.has(file)) sources.set(file, readSource(file, language));
	return sources.get(file);
};

/** All that is published, with these definitions. */
const buildProgram = (types: string) =>
	ts.createProgram(
		settings.fileNames,
		{ ...settings.options, paths: { 'n8n-workflow': [types] } },
		host,
	);

function describeFinding({ file, start = 0, messageText }: ts.Diagnostic): string {
	const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
	return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
}

describe.each(SUPPORTED)('With the type definitions of n8n $n8n', ({ types }) => {
	test(
		'everything that is published compiles, and reads no other definitions',
		() => {
			const program = buildProgram(types);
			const files = program.getSourceFiles().map(({ fileName }) => fileName);
			const definitions = files.filter((file) => /\/n8n-workflow(?:-v1)?\//.test(file));
			expect(settings.fileNames.length).toBeGreaterThan(40);
			expect(definitions.length).toBeGreaterThan(40);
			expect(definitions.filter((file) => !file.startsWith(`${types}/`))).toEqual([]);
			expect(ts.getPreEmitDiagnostics(program).map(describeFinding)).toEqual([]);
		},
		COMPILING,
	);
});

import { readFileSync } from 'node:fs';
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

/** The oldest and the newest supported n8n, and where the types that it ships are installed here. */
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

/** Names that one of the two lacks: they show that each compilation reads its own definitions. */
const ONLY_IN_ONE = [
	{ name: 'sleepWithAbort', refusedBy: newestSupported },
	{ name: 'sanitizeXmlName', refusedBy: oldestSupported },
];
const usageFile = (name: string) => join(PROJECT, `usage-${name}.ts`);
const USES = new Map(
	ONLY_IN_ONE.map(({ name }) => [usageFile(name), `export { ${name} } from 'n8n-workflow';`]),
);

/** Reads each file once for all compilations. */
const host = ts.createCompilerHost(settings.options);
const readSource = host.getSourceFile.bind(host);
const sources = new Map<string, ts.SourceFile | undefined>();
host.getSourceFile = (file, language) => {
	const use = USES.get(file);
	if (!sources.has(file)) {
		sources.set(
			file,
			use === undefined
				? readSource(file, language)
				: ts.createSourceFile(file, use, ts.ScriptTarget.ES2019),
		);
	}
	return sources.get(file);
};

/** What the compiler says with these definitions: about a use, or about all that is published. */
const compilations = new Map<string, ReadonlyMap<string | undefined, string[]>>();

function refusals(types: string, use?: string): string[] {
	const known = compilations.get(types) ?? compiledWith(types);
	compilations.set(types, known);
	return known.get(use) ?? [];
}

function compiledWith(types: string): ReadonlyMap<string | undefined, string[]> {
	const program = ts.createProgram(
		[...settings.fileNames, ...USES.keys()],
		{ ...settings.options, paths: { 'n8n-workflow': [types] } },
		host,
	);
	const found = new Map<string | undefined, string[]>();
	for (const { file, start, messageText } of ts.getPreEmitDiagnostics(program)) {
		const line =
			file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
		const subject = file && USES.has(file.fileName) ? file.fileName : undefined;
		const words = `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
		found.set(subject, [...(found.get(subject) ?? []), words]);
	}
	return found;
}

describe.each(SUPPORTED)('With the type definitions of n8n $n8n', ({ n8n, types }) => {
	test('these are the ones that this n8n ships', () => {
		const lock = JSON.parse(
			readFileSync(join(PROJECT, 'test/harness/versions', n8n, 'package-lock.json'), 'utf8'),
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
			expect(refusals(types)).toEqual([]);
		},
		COMPILING,
	);

	test.each(ONLY_IN_ONE)(
		'a use of $name compiles unless $refusedBy lacks it',
		({ name, refusedBy }) => {
			expect(refusals(types, usageFile(name))).toEqual(
				n8n === refusedBy ? [expect.stringContaining(`no exported member '${name}'`)] : [],
			);
		},
		COMPILING,
	);
});

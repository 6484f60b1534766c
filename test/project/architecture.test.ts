import { readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { OPERATIONS } from '../../simulator/operations';
import { codeWords, PROJECT, read } from '../../tools/documents/markdown';

const MAP = 'docs/maintainers/architecture.md';

const list = (folder: string): string[] =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file));

const sources = ['nodes', 'credentials'].flatMap(list);

/** The folder of a file, or `nodes` for the two nodes themselves. */
function getFolder(path: string): string {
	const [folder, file] = path.replace('nodes/Yuntongxun/', '').split('/');
	return file === undefined ? 'nodes' : folder;
}

/** The files that a file imports, types included. */
const findImports = (file: string): string[] =>
	[...read(file).matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)]
		.map(([, to]) => normalize(join(dirname(file), to)))
		.flatMap((to) => sources.filter((other) => [`${to}.ts`, `${to}/index.ts`].includes(other)));

/** The table of the folders, from top to bottom, with what each imports from. */
const FOLDERS = [...read(MAP).matchAll(/^\| `(\w+)` +\| .*\| (.*) \|$/gm)].map(
	([, folder, imports]) => ({ folder, imports: imports.match(/\w+/g) ?? [] }),
);

test('The map has each folder, no arrow upward, and the arrows that the imports need', () => {
	const names = FOLDERS.map(({ folder }) => folder);
	expect([...names].sort()).toEqual([...new Set(sources.map(getFolder))].sort());
	const arrows = FOLDERS.flatMap(({ folder, imports }) => imports.map((to) => [folder, to]));
	expect(arrows.filter(([from, to]) => names.indexOf(from) >= names.indexOf(to))).toEqual([]);
	const drawn = sources.flatMap((file) =>
		findImports(file)
			.map((to) => [getFolder(file), getFolder(to)])
			.filter(([from, to]) => from !== to)
			.map((ends) => ends.join(' > ')),
	);
	expect(arrows.map((ends) => ends.join(' > ')).sort()).toEqual([...new Set(drawn)].sort());
});

test('The map names only files that exist', () => {
	const named = codeWords(read(MAP)).filter((word) => /^[\w/]+\.ts$/.test(word));
	expect(named.filter((name) => !sources.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
});

test('Exported names are unique in the package', () => {
	const EXPORT =
		/^export (?:abstract )?(?:const|class|interface|type|enum|(?:async )?function\*?) (\w+)/gm;
	const files = new Map<string, string[]>();
	// An operation has the same name in several resources: send, get, create.
	for (const file of sources.filter((each) => getFolder(each) !== 'resources')) {
		for (const name of new Set([...read(file).matchAll(EXPORT)].map(([, word]) => word))) {
			files.set(name, [...(files.get(name) ?? []), file]);
		}
	}
	expect([...files].filter(([, at]) => at.length > 1)).toEqual([]);
});

/** Names of the service's fields, but for that which is a word of the engine as well; its events, and its trigger. */
const FIELDS = OPERATIONS.flatMap(({ fields }) => fields.map(({ name }) => name));
const OF_THE_SERVICE = new RegExp(
	`\\b(?:${[...new Set(FIELDS)].filter((name) => name !== 'to').join('|')}|datas|callSid|smsMessageSid|subToken|voipAccount|dateCreated|orderid)\\b` +
		'|voice(?:Notification|Verification)|VoiceCode|SellingCall|CallAuth|sms(?:Report|Reply|Arrived)|yuntongxunTrigger',
	'g',
);

test('The engine knows no field and no event of the service', () => {
	// Folders that send for any vendor; the options of a form are this one's.
	const engine = sources.filter(
		(file) =>
			/^(?:executor|idempotency|operation)$/.test(getFolder(file)) && !file.endsWith('options.ts'),
	);
	const found = engine.flatMap((file) => read(file).match(OF_THE_SERVICE) ?? []);
	expect(found).toEqual([]);
	expect(new Set(sources.map(read).join().match(OF_THE_SERVICE)).size).toBeGreaterThan(25);
});

test('No file imports itself on any way, types included', () => {
	const cleared = new Set<string>();
	/** The first way from a file back to itself. */
	const findCircle = (file: string, way: string[] = []): string[] | undefined => {
		if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
		if (cleared.has(file)) return undefined;
		const circles = findImports(file).map((next) => findCircle(next, [...way, file]));
		cleared.add(file);
		return circles.find((circle) => circle !== undefined);
	};
	expect(sources.map((file) => findCircle(file)).find(Boolean)).toBeUndefined();
});

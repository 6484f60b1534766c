import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { OPERATIONS } from '../../simulator/operations';
import { codeWords, PROJECT, read } from '../../tools/documents/markdown';

const MAP = 'docs/maintainers/architecture.md';
const NODES = 'nodes/Yuntongxun/';

const EXPORT =
	/^export (?:abstract )?(?:const|class|interface|type|enum|(?:async )?function\*?) (\w+)/gm;

const list = (folder: string): string[] =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file));

const sources = ['nodes', 'credentials'].flatMap(list);
const all = [...sources, ...['simulator', 'tools'].flatMap(list)];

/** The room of a file: its folder, or `nodes` for the two nodes themselves. */
function getRoom(path: string): string {
	const [room, file] = path.replace(NODES, '').split('/');
	return file === undefined ? 'nodes' : room;
}

/** The files that a file imports, types included. */
function findImports(file: string): string[] {
	return [...read(file).matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)]
		.map(([, to]) => normalize(join(dirname(file), to)))
		.flatMap((to) => all.filter((other) => other === `${to}.ts` || other === `${to}/index.ts`));
}

/** The first way from a file back to itself; undefined if there is none. */
function circleFrom(file: string, way: string[] = []): string[] | undefined {
	if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
	if (cleared.has(file)) return undefined;
	for (const next of findImports(file)) {
		const circle = circleFrom(next, [...way, file]);
		if (circle) return circle;
	}
	cleared.add(file);
	return undefined;
}
const cleared = new Set<string>();

/** The rooms that files of a room import from, by `from > to`. */
const drawn = new Set(
	sources.flatMap((file) =>
		findImports(file)
			.filter((to) => getRoom(to) !== getRoom(file))
			.map((to) => `${getRoom(file)} > ${getRoom(to)}`),
	),
);

/** The one table of the rooms, from top to bottom: lint makes its walls of it. */
const ROOMS = JSON.parse(read('lint/rooms.json')) as Array<{
	room: string;
	knows: string;
	imports: string[];
}>;
const names = ROOMS.map(({ room }) => room);
const arrows = ROOMS.flatMap(({ room, imports }) => imports.map((to) => [room, to] as const));

describe('The table of the rooms', () => {
	test('has a row for each room', () => {
		const built = [...new Set(sources.map(getRoom))];
		expect([...names].sort()).toEqual(built.sort());
	});

	test('has no arrow upward, and so no circle', () => {
		expect(arrows.filter(([from, to]) => names.indexOf(from) >= names.indexOf(to))).toEqual([]);
	});

	test('allows what the imports need, and nothing more', () => {
		expect(arrows.map((ends) => ends.join(' > ')).sort()).toEqual([...drawn].sort());
	});

	test('stands in the map', () => {
		const wanted = withTable(read(MAP));
		if (process.env.WRITE_DOCUMENTS === '1') writeFileSync(join(PROJECT, MAP), wanted);
		else if (wanted !== read(MAP)) {
			throw new Error(`npm run fix draws the rooms of ${MAP} anew`);
		}
	});
});

/** The map with a row for each room, as wide as prettier makes it. */
function withTable(map: string): string {
	const rows = ROOMS.map(({ room, knows }) => [`\`${room}\``, knows]);
	const head = ['Room', 'Knows'];
	const widths = head.map((_title, at) => Math.max(...rows.map((row) => row[at].length)));
	const write = (cells: string[], fill = ' ') =>
		`| ${cells.map((cell, at) => cell.padEnd(widths[at], fill)).join(' | ')} |\n`;
	const table = [write(head), write(['', ''], '-'), ...rows.map((row) => write(row))];
	return map.replace(/^\| Room .*\n(?:\|.*\n)*/m, () => table.join(''));
}

test('Exported names are unique in the package', () => {
	const files = new Map<string, string[]>();
	for (const file of sources) {
		for (const [, name] of read(file).matchAll(EXPORT)) {
			files.set(name, [...(files.get(name) ?? []), file]);
		}
	}
	const doubled = [...files].filter(
		([, at]) =>
			new Set(at).size > 1 &&
			// An operation has the same name in several resources: send, get, create.
			!at.every((file) => getRoom(file) === 'resources'),
	);
	expect(doubled).toEqual([]);
});

/** Rooms that send for any vendor; the options of a form are this one's. */
const ENGINE = sources.filter(
	(file) =>
		/^(?:executor|idempotency|operation)$/.test(getRoom(file)) && !/options\.ts$/.test(file),
);

/** Names of the service's fields, but for those that are words of the engine as well. */
const FIELDS = new Set([
	...OPERATIONS.flatMap(({ fields }) => fields.map(({ name }) => name)),
	...['datas', 'callSid', 'smsMessageSid', 'subToken', 'voipAccount', 'dateCreated', 'orderid'],
]);
FIELDS.delete('to');

test('The engine knows no field of the service', () => {
	const found = ENGINE.flatMap((file) =>
		[...new Set(read(file).match(/\w+/g))]
			.filter((word) => FIELDS.has(word))
			.map((word) => `${file.split('/').at(-1)}: ${word}`),
	);
	expect(FIELDS.size).toBeGreaterThan(20);
	expect(found).toEqual([]);
});

/** The service's events and actions, and n8n's names of its nodes. */
const VENDOR_WORDS =
	/\w*(?:voice(?:Notification|Verification)|VoiceCode|SellingCall|CallAuth|sms(?:Report|Reply|Arrived)|yuntongxunTrigger)\w*/gi;

test('The engine knows neither an event of the service nor its trigger', () => {
	const found = ENGINE.flatMap((file) =>
		[...read(file).matchAll(VENDOR_WORDS)].map(([word]) => `${file.split('/').at(-1)}: ${word}`),
	);
	expect(found).toEqual([]);
	const all = sources.map(read).join('\n');
	expect(new Set(all.match(VENDOR_WORDS)).size).toBeGreaterThan(5);
});

test('No file imports itself on any way, types included', () => {
	expect(all.map((file) => circleFrom(file)).find(Boolean)).toBeUndefined();
});

test('The map names only files that exist', () => {
	const named = codeWords(read(MAP)).filter((word) => /^[\w/]+\.ts$/.test(word));
	const missing = named.filter((name) => !sources.some((file) => file.endsWith(`/${name}`)));
	expect(missing).toEqual([]);
});

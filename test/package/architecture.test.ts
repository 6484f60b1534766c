import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { blocks, codeWords, PROJECT, read } from './support/markdown';

const MAP = 'docs/architecture.md';
const NODES = 'nodes/Yuntongxun/';
/** So many imports make an arrow thick. */
const HEAVY = 10;

const sources = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);

/** The room of a file: its folder, or `nodes` for the two nodes themselves. */
function roomOf(path: string): string {
	const [room, file] = path.replace(NODES, '').split('/');
	return file === undefined ? 'nodes' : room;
}

/** The files that a file imports, types included. */
function importsOf(file: string): string[] {
	return [...read(file).matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)]
		.map(([, to]) => normalize(join(dirname(file), to)))
		.flatMap((to) => sources.filter((other) => other === `${to}.ts` || other === `${to}/index.ts`));
}

/** The first way from a file back to itself; undefined if there is none. */
function circleFrom(file: string, way: string[] = []): string[] | undefined {
	if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
	if (cleared.has(file)) return undefined;
	for (const next of importsOf(file)) {
		const circle = circleFrom(next, [...way, file]);
		if (circle) return circle;
	}
	cleared.add(file);
	return undefined;
}
const cleared = new Set<string>();

/** How many imports lead from one room to another, by `from > to`. */
const imports = new Map<string, number>();
for (const file of sources) {
	for (const [, to] of read(file).matchAll(/\b(?:from|import\()\s*'(\.[^']+)'/g)) {
		const [from, target] = [roomOf(file), roomOf(normalize(join(dirname(file), to, 'x')))];
		const room = to.endsWith('.json') ? from : target;
		if (from !== room)
			imports.set(`${from} > ${room}`, (imports.get(`${from} > ${room}`) ?? 0) + 1);
	}
}
/** As the picture has them: heavy ones first, then by name, so that few changes touch it. */
const edges = [...imports]
	.map(([edge, count]) => {
		const [from, to] = edge.split(' > ');
		return { edge, from, to, isHeavy: count >= HEAVY };
	})
	.sort((a, b) => Number(b.isHeavy) - Number(a.isHeavy) || a.edge.localeCompare(b.edge));

/** The rooms in the order of the table below the picture, from top to bottom. */
const rooms = [...read(MAP).matchAll(/^\| `([\w]+)\/?` +\|/gm)].map(([, room]) => room);

describe('The picture of the rooms', () => {
	test('has every edge that the imports draw, the heavy ones first', () => {
		const drawn = blocks(read(MAP)).find(({ language }) => language === 'mermaid')?.code;
		const lines = edges.map(
			({ from, to, isHeavy }) => `\t${from} ${isHeavy ? '==>' : '-->'} ${to}\n`,
		);
		const wanted = `flowchart TD\n${lines.join('')}`;
		if (drawn === wanted) return;
		if (process.env.WRITE_DOCUMENTS !== '1') {
			throw new Error(`WRITE_DOCUMENTS=1 npm test draws the picture of ${MAP} anew`);
		}
		writeFileSync(
			join(PROJECT, MAP),
			read(MAP).replace(drawn ?? '', () => wanted),
		);
	});

	test('has a row for each room in its table', () => {
		const built = [...new Set(sources.map(roomOf))];
		expect([...rooms].sort()).toEqual(built.sort());
	});

	test('has no arrow upward in that table, and so no circle', () => {
		const rank = (room: string) => rooms.indexOf(room);
		expect(edges.filter(({ from, to }) => rank(from) >= rank(to))).toEqual([]);
	});
});

test('No file imports itself on any way, types included', () => {
	expect(sources.map((file) => circleFrom(file)).find(Boolean)).toBeUndefined();
});

test('The map names only files that exist', () => {
	const named = codeWords(read(MAP)).filter((word) => /^[\w/]+\.ts$/.test(word));
	const missing = named.filter((name) => !sources.some((file) => file.endsWith(`/${name}`)));
	expect(named.length).toBeGreaterThan(10);
	expect(missing).toEqual([]);
});

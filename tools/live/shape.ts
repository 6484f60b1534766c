import { XMLParser } from 'fast-xml-parser';

/**
 * What an answer looks like, without anything that it says: a kind for each of its parts, by the
 * names that lead there, such as `Account.balance`. A list has one entry for all of its members,
 * `SubAccount[].dateCreated`, with every kind that occurs.
 */
export type Shape = ReadonlyMap<string, string>;

/** Texts that people write, whose form says nothing of the service. */
const FREE_TEXT = /^(friendlyName|statusMsg|userData|number)$/;
const KINDS: ReadonlyArray<readonly [RegExp, (text: string) => string]> = [
	[/^$/, () => 'empty text'],
	[/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, () => 'date yyyy-MM-dd HH:mm:ss'],
	[/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+$/, () => 'date yyyy-MM-dd HH:mm:ss with a fraction'],
	[
		/^20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])([01]\d|2[0-3])([0-5]\d){2}$/,
		() => 'date yyyyMMddHHmmss',
	],
	[/^[+-]?\d+\.\d+$/, (text) => `amount like 0.${'0'.repeat(text.split('.')[1].length)}`],
	[/^[+-]?\d{1,7}$/, () => 'digits'],
	[/^\d{12,}$/, (text) => `${text.length} digits`],
	[/^[A-Za-z0-9]{8,}$/, (text) => `${text.length} letters and digits`],
];

function describeText(name: string, text: string): string {
	const inner = text.trim();
	const blanks = inner === text || inner === '' ? '' : ', blanks around it';
	if (FREE_TEXT.test(name)) return `${inner === '' ? 'empty text' : 'text'}${blanks}`;
	const [, describe = () => 'text'] = KINDS.find(([pattern]) => pattern.test(inner)) ?? [];
	return describe(inner) + blanks;
}

/** Each part with its kind, in order. */
function listParts(value: unknown, path = ''): Array<[path: string, kind: string]> {
	if (typeof value === 'string') return [[path, describeText(path.split('.').at(-1) ?? '', value)]];
	if (Array.isArray(value)) {
		const members = value.flatMap((each) => listParts(each, `${path}[]`));
		return [[path, value.length === 0 ? 'empty list' : 'list'], ...members];
	}
	if (typeof value !== 'object' || value === null) {
		return [[path, value === null ? 'null' : `${typeof value} without quotes`]];
	}
	return Object.entries(value).flatMap(([name, member]) =>
		listParts(member, path === '' ? name : `${path}.${name}`),
	);
}

const parser = new XMLParser({ parseTagValue: false, trimValues: false });

/** The shape of a body in JSON or XML; a single part that says so if it is neither. */
export function describeShape(body: string): Shape {
	const isXml = body.trimStart().startsWith('<');
	const kinds = new Map<string, Set<string>>();
	try {
		const value: unknown = isXml ? parser.parse(body, true) : JSON.parse(body);
		for (const [path, kind] of listParts(value)) {
			kinds.set(path, (kinds.get(path) ?? new Set()).add(kind));
		}
	} catch {
		return new Map([['(body)', body === '' ? 'empty' : `no ${isXml ? 'XML' : 'JSON'}`]]);
	}
	return new Map([...kinds].map(([path, some]) => [path, [...some].sort().join(' or ')]));
}

/** Two shapes in words, a line a part; the parts that differ are marked, and counted in the title. */
export function compareShapes(title: string, live: Shape, simulated: Shape) {
	const parts = [...new Set([...live.keys(), ...simulated.keys()])].sort();
	const lines = parts.map((part) => {
		const [seen, expected] = [live, simulated].map((shape) => shape.get(part) ?? 'nothing');
		return seen === expected
			? `  ${part}: ${seen}`
			: `≠ ${part}: ${seen}; on the simulator ${expected}`;
	});
	const differences = lines.filter((line) => line.startsWith('≠')).length;
	return { differences, text: [`\n${title}: ${differences} differences`, ...lines].join('\n') };
}

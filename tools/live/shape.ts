import { XMLParser } from 'fast-xml-parser';

/**
 * What an answer looks like, without anything that it says: a kind for each of its parts, by the
 * names that lead there, such as `Account.balance`. A list has one entry for all of its members,
 * `SubAccount[].dateCreated`, with every kind that occurs.
 */
export type Shape = ReadonlyMap<string, string>;

/** Texts that people write, whose form says nothing of the service. */
const FREE_TEXT = /^(friendlyName|statusMsg|userData|number)$/;

/** Codes by their length, amounts by their decimals, dates and times by their marks. */
function describeText(name: string, text: string): string {
	if (text.trim() === '') return 'empty text';
	if (FREE_TEXT.test(name)) return 'text';
	if (/^ ?[A-Za-z0-9]{8,}$/.test(text)) return text.replace(/\w/g, 'x');
	const figures = text.replace(/^[+-]?\d{1,7}(?=\.|$)/, '9');
	return /^[\d .:-]+$/.test(figures) ? figures.replace(/\d/g, '9') : 'text';
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
		return new Map([['(body)', `no ${isXml ? 'XML' : 'JSON'}`]]);
	}
	return new Map([...kinds].map(([path, some]) => [path, [...some].sort().join(' or ')]));
}

/** Two shapes in words, a line a part, with those marked that differ. */
export function compareShapes(live: Shape, simulated: Shape): string[] {
	const parts = [...new Set([...live.keys(), ...simulated.keys()])].sort();
	return parts.map((part) => {
		const [seen, expected] = [live, simulated].map((shape) => shape.get(part) ?? 'nothing');
		return seen === expected
			? `  ${part}: ${seen}`
			: `≠ ${part}: ${seen}; on the simulator ${expected}`;
	});
}

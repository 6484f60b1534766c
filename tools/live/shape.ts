import { DOMParser, type Element } from '@xmldom/xmldom';

/**
 * What an answer looks like, without anything that it says: a kind for each of its parts, by the
 * names that lead there, such as `Account.balance`. A list has one entry for all of its members,
 * `SubAccount[].dateCreated`, with every kind that occurs.
 */
export type Shape = ReadonlyMap<string, string>;

export type Format = 'json' | 'xml';

/** Texts that people write, whose form says nothing of the service. */
const FREE_TEXT = /^(friendlyName|statusMsg|userData|number)$/;
const DAY = String.raw`20\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])`;
const KINDS: ReadonlyArray<readonly [RegExp, (text: string) => string]> = [
	[/^$/, () => 'empty text'],
	[/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/, () => 'date yyyy-MM-dd HH:mm:ss'],
	[/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+$/, () => 'date yyyy-MM-dd HH:mm:ss with a fraction'],
	[new RegExp(`^${DAY}([01]\\d|2[0-3])([0-5]\\d){2}$`), () => 'date yyyyMMddHHmmss'],
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

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

function collect(value: unknown, path: string, into: Map<string, Set<string>>): void {
	const note = (kind: string): void => {
		into.set(path, (into.get(path) ?? new Set()).add(kind));
	};
	if (typeof value === 'string') note(describeText(path.split('.').at(-1) ?? '', value));
	else if (Array.isArray(value)) {
		note(value.length === 0 ? 'empty list' : 'list');
		for (const one of value) collect(one, `${path}[]`, into);
	} else if (isObject(value)) {
		for (const [name, member] of Object.entries(value)) {
			collect(member, path === '' ? name : `${path}.${name}`, into);
		}
	} else note(value === null ? 'null' : `${typeof value} without quotes`);
}

/** An element as JSON would have it: text, or children by name, several of a name as a list. */
function toValue(element: Element): unknown {
	const children = Array.from(element.childNodes).filter(
		(node): node is Element => node.nodeType === 1,
	);
	if (children.length === 0) return element.textContent ?? '';
	const byName = new Map<string, unknown[]>();
	for (const child of children) {
		byName.set(child.nodeName, [...(byName.get(child.nodeName) ?? []), toValue(child)]);
	}
	return Object.fromEntries(
		[...byName].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
	);
}

function parseRoot(xml: string): Element {
	const { documentElement: root } = new DOMParser({
		onError: (level, message) => {
			throw new Error(`${level}: ${message}`);
		},
	}).parseFromString(xml, 'application/xml');
	if (!root) throw new Error('There is no root element');
	return root;
}

/**
 * The shape of a body. In XML the root element and the declaration are parts of it.
 *
 * @returns a single entry that says so if the body is not well-formed
 */
export function describeShape(body: string, format: Format): Shape {
	const kinds = new Map<string, Set<string>>();
	try {
		if (format === 'json') collect(JSON.parse(body), '', kinds);
		else {
			const root = parseRoot(body);
			kinds.set('(declaration)', new Set([/^<\?xml[^>]*>/.exec(body)?.[0] ?? 'none']));
			kinds.set('(root)', new Set([root.nodeName]));
			collect(toValue(root), '', kinds);
		}
	} catch {
		return new Map([['(body)', body === '' ? 'empty' : `not ${format.toUpperCase()}`]]);
	}
	return new Map([...kinds].map(([path, some]) => [path, [...some].sort().join(' or ')]));
}

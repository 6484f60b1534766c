import { DOMParser, type Element } from '@xmldom/xmldom';
import type { Operation, RequestContent } from './operations';
import { broken, shown, type Violation } from './violation';

/** A request body as read, and what is wrong with its form. */
export interface ReadBody {
	/** Absent if nothing is readable. */
	readonly content?: RequestContent;
	readonly violations: readonly Violation[];
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** What XML 1.0 allows in a document, section 2.2. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d+)|#x([0-9a-f]+));/gi;
const SECTIONS = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>/g;

function isForbiddenReference([, , decimal, hex]: RegExpMatchArray): boolean {
	const code = decimal ? Number(decimal) : hex ? parseInt(hex, 16) : 0x20;
	return code > 0x10ffff || NOT_XML.test(String.fromCodePoint(code));
}

/**
 * What the parser accepts, but XML 1.0 or this service does not.
 * @param outside the text outside of comments and CDATA sections
 */
function findForbidden(xml: string, outside: string): string | undefined {
	if (NOT_XML.test(xml)) return 'it has a character that XML cannot carry';
	if ([...outside.matchAll(REFERENCE)].some(isForbiddenReference)) {
		return 'a character reference names a character that XML cannot carry';
	}
	if (outside.replace(REFERENCE, '').includes('&')) return 'an "&" is not escaped';
	if (outside.includes(']]>')) return '"]]>" stands outside of a CDATA section';
	if (/<!DOCTYPE/i.test(outside)) return 'a document type declaration is not expected';
	const [, encoding = 'utf-8'] = /^<\?xml[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(outside) ?? [];
	return encoding.toLowerCase() === 'utf-8'
		? undefined
		: 'the declaration names an encoding other than UTF-8';
}

/** XML 1.0 knows only these line ends; the parser's own default follows XML 1.1. */
const xml10LineEnds = (source: string): string => source.replace(/\r\n?/g, '\n');

const parser = new DOMParser({
	locator: false,
	normalizeLineEndings: xml10LineEnds,
	onError: (level, message) => {
		// The parser takes U+FFFD for a sign of a wrong encoding; it is a character like any other.
		if (level === 'warning' && message.startsWith('Unicode replacement character')) return;
		throw new Error(`${level}: ${message}`);
	},
});

function parse(xml: string): Element | string {
	const forbidden = findForbidden(xml, xml.replace(SECTIONS, ''));
	if (forbidden) return forbidden;
	try {
		return parser.parseFromString(xml, 'application/xml').documentElement ?? 'no root element';
	} catch (error) {
		return (error as Error).message.split('\n')[0];
	}
}

const getElements = (parent: Element): Element[] =>
	Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === ELEMENT);

const hasText = (parent: Element): boolean =>
	Array.from(parent.childNodes).some(
		({ nodeType, nodeValue }) =>
			(nodeType === TEXT || nodeType === CDATA) && (nodeValue ?? '').trim() !== '',
	);

/** Reads the elements of one body. */
class BodyReader {
	readonly violations: Violation[] = [];
	readonly fields = new Map<string, string>();
	datas?: string[];

	constructor(private readonly operation: Operation) {}

	readRoot(root: Element): void {
		const wanted = this.operation.root ?? '';
		if (root.nodeName !== wanted) {
			this.break('root', `the root element must be <${wanted}>, not <${root.nodeName}>`);
		}
		this.readAttributes(root);
		if (hasText(root)) this.break('text', 'text stands between the fields');
		const seen = new Set<string>();
		for (const child of getElements(root)) {
			const name = child.nodeName;
			if (seen.has(name)) this.break('repeatedField', `<${name}> was sent more than once`);
			else this.readField(name, child);
			seen.add(name);
		}
	}

	private readField(name: string, element: Element): void {
		const { fields } = this.operation;
		if (name === 'datas') this.datas = this.readDatas(element);
		else if (!fields.some((field) => field.name === name && field.typeOf)) {
			this.fields.set(name, this.readText(element));
		} else if (this.readText(element) !== '' || !this.fields.has(name)) {
			const words = 'is carried by an attribute in XML, not by the text of an element';
			this.break('notAnElement', `${shown(name)} ${words}`);
		}
	}

	private readAttributes(element: Element): void {
		for (const { nodeName: name, value } of element.attributes) {
			const field = this.operation.fields.find(({ typeOf }) => typeOf?.includes(element.nodeName));
			if (field && name === 'type') this.fields.set(field.name, value);
			else this.break('attribute', `<${element.nodeName}> must not have the attribute ${name}`);
		}
	}

	private readText(element: Element): string {
		this.readAttributes(element);
		if (getElements(element).length > 0) {
			this.break('nested', `<${element.nodeName}> must hold text only`);
		}
		return element.textContent ?? '';
	}

	private readDatas(element: Element): string[] {
		this.readAttributes(element);
		if (hasText(element)) this.break('text', '<datas> must hold <data> only');
		const children = getElements(element);
		for (const { nodeName } of children.filter((child) => child.nodeName !== 'data')) {
			this.break('unknownField', `<datas> has no child <${nodeName}>`);
		}
		return children
			.filter(({ nodeName }) => nodeName === 'data')
			.map((child) => this.readText(child));
	}

	private break(rule: string, words: string): void {
		this.violations.push(broken(rule, words));
	}
}

/**
 * Reads an XML request body: the root's name, its children, each once, and no attributes except
 * the type of an audio file (specification 4, 4.2 and 4.3).
 * @param xml the body as text
 * @param operation whose root and attributes are expected
 * @returns the content as far as it is readable, and every violation of the form
 */
export function readXmlBody(xml: string, operation: Operation): ReadBody {
	const root = parse(xml);
	if (typeof root === 'string') {
		return { violations: [broken('xml', `the body is not well-formed XML: ${root}`)] };
	}
	const reader = new BodyReader(operation);
	reader.readRoot(root);
	const { fields, datas, violations } = reader;
	return { content: { fields, ...(datas && { datas }) }, violations };
}

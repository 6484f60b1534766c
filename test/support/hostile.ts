import { gzipSync } from 'node:zlib';

/** A call that exists, and its result. */
export const buildCallResult = (callSid: string): Record<string, string> => ({
	action: 'SellingCall',
	callSid,
	number: '13800000000',
	state: '0',
	duration: '30',
});

/** The most that a node of this package looks at, in bytes. */
const MOST_READ = 32 * 1024;
const MEGABYTE = 1024 * 1024;

const xml = (content: string, before = '') =>
	`<?xml version="1.0"?>${before}<request>${content}</request>`;
const fields = (callSid: string): string =>
	Object.entries(buildCallResult(callSid))
		.map(([name, value]) => `<${name}>${value}</${name}>`)
		.join('');

const bomb = Array.from({ length: 9 }, (_, index) => {
	const last = index === 0 ? 'lol' : `&l${index - 1};`;
	return `<!ENTITY l${index} "${last.repeat(10)}">`;
}).join('');

const deepXml = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
const deepJson = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const inJson = (callSid: string, more: string) =>
	`${JSON.stringify(buildCallResult(callSid)).slice(0, -1)},${more}}`;
const inXml = (callSid: string) => xml(fields(callSid));

/** What makes the JSON of a result a byte longer than what is looked at. */
const fill = (callSid: string) =>
	' '.repeat(MOST_READ + 1 - Buffer.byteLength(inJson(callSid, '"x":""')));

/**
 * Hostile bodies for a known call id, none of which is a notification; recorded ones are in
 * test/corpus/pushes.
 *
 * @param callSid of a call that exists
 */
export const hostileBodies = (callSid: string): Record<string, string | Buffer> => ({
	'UTF-16': Buffer.from(`\ufeff${inXml(callSid)}`, 'utf16le'),
	'bytes that are no UTF-8': Buffer.concat([
		Buffer.from(inXml(callSid)),
		Buffer.from([0xff, 0xfe]),
	]),
	'compressed without a label': gzipSync(inXml(callSid)),
	...buildHostileXml(callSid),
	...buildHostileJson(callSid),
});

function buildHostileXml(callSid: string): Record<string, string> {
	const good = inXml(callSid);
	const own = fields(callSid);
	return {
		'half of the XML': good.slice(0, good.length / 2),
		'crossed elements': good.replace('</request>', '</Request>'),
		'two documents': good + good.replace('<?xml version="1.0"?>', ''),
		'text behind it': `${good}x`,
		'XML named __proto__': xml(`<__proto__>${own}</__proto__>`),
		'entities that multiply': xml(`${own}<x>&l8;</x>`, `<!DOCTYPE r [${bomb}]>`),
		'an entity that names a file': xml(
			`${own}<x>&f;</x>`,
			'<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/hostname">]>',
		),
		'XML nested 100 deep': xml(own + deepXml(100)),
		'XML nested 30,000 deep': xml(own + deepXml(30_000)),
		'30,000 elements that never end': xml('<a>'.repeat(30_000)),
	};
}

function buildHostileJson(callSid: string): Record<string, string> {
	const json = JSON.stringify(buildCallResult(callSid));
	return {
		'half of the JSON': json.slice(0, json.length / 2),
		'two JSON objects': json + json,
		'JSON nested 100 deep': inJson(callSid, `"x":${deepJson(100)}`),
		'JSON nested 100,000 deep': inJson(callSid, `"x":${deepJson(100_000)}`),
		'100,000 lists that never end': '['.repeat(100_000),
		'a byte more than is looked at': inJson(callSid, `"x":"${fill(callSid)}"`),
		'a megabyte of a good notification': inJson(callSid, `"x":"${' '.repeat(MEGABYTE)}"`),
	};
}

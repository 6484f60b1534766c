import { gzipSync } from 'node:zlib';

/** A call that there is, and the result of it. */
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

/**
 * What an enemy might deliver who knows the id of a call: none of it is a notification.
 *
 * @param callSid of a call that there is
 */
export function hostileBodies(callSid: string): Record<string, string | Buffer> {
	const json = JSON.stringify(buildCallResult(callSid));
	const inJson = (more: string) => `${json.slice(0, -1)},${more}}`;
	const good = xml(fields(callSid));
	return {
		nothing: '',
		blanks: ' \r\n ',
		text: 'SellingCall',
		'a form': `action=SellingCall&callSid=${callSid}`,
		'a web page': '<!DOCTYPE html><html><body><p>hi<br></body></html>',
		'JSON null': 'null',
		'half of the XML': good.slice(0, good.length / 2),
		'half of the JSON': json.slice(0, json.length / 2),
		'crossed elements': good.replace('</request>', '</Request>'),
		'two documents': good + good.replace('<?xml version="1.0"?>', ''),
		'two JSON objects': json + json,
		'text behind it': `${good}x`,
		'XML named __proto__': xml(`<__proto__>${fields(callSid)}</__proto__>`),
		'a question whether a call may start': xml(fields(callSid).replace('SellingCall', 'CallAuth')),
		'such a question in other letters': inJson('"ACTION":"callauth"'),
		'such a question around it': `{"CallAuth":${json}}`,
		'such a question as root': good.replace(/request>/g, 'CallAuth>'),
		'entities that multiply': xml(`${fields(callSid)}<x>&l8;</x>`, `<!DOCTYPE r [${bomb}]>`),
		'an entity that names a file': xml(
			`${fields(callSid)}<x>&f;</x>`,
			'<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/hostname">]>',
		),
		'the action in an entity': xml(
			fields(callSid).replace('SellingCall', '&a;'),
			'<!DOCTYPE r [<!ENTITY a "SellingCall">]>',
		),
		'XML nested 100 deep': xml(fields(callSid) + deepXml(100)),
		'XML nested 30,000 deep': xml(fields(callSid) + deepXml(30_000)),
		'JSON nested 100 deep': inJson(`"x":${deepJson(100)}`),
		'JSON nested 100,000 deep': inJson(`"x":${deepJson(100_000)}`),
		'30,000 elements that never end': xml('<a>'.repeat(30_000)),
		'100,000 lists that never end': '['.repeat(100_000),
		'UTF-16': Buffer.from(`\ufeff${good}`, 'utf16le'),
		'bytes that are no UTF-8': Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe])]),
		'a byte more than is looked at': inJson(`"x":"${' '.repeat(MOST_READ - json.length - 6)}"`),
		'a megabyte of a good notification': inJson(`"x":"${' '.repeat(MEGABYTE)}"`),
		'compressed without a label': gzipSync(good),
	};
}

import { escapeXml } from './xmlText';

/**
 * How results of calls and pushes about SMS are written: as the service's documents do (`proper`), or
 * as programs do that are careless. Nobody knows whether the service is one of them.
 */
export type PushForm = (typeof PUSH_FORMS)[number];

export const PUSH_FORMS = ['proper', 'raw', 'wrapped', 'list', 'mark', 'gbk'] as const;

/** A push before it is written. */
export interface PushContent {
	readonly root: string;
	readonly entries: ReadonlyArray<readonly [name: string, value: string]>;
	/** The format, unless the form has one of its own. */
	readonly format: 'json' | 'xml';
}

/** A push ready to be sent. */
export interface WrittenPush {
	readonly contentType: string;
	readonly body: string | Buffer;
}

/** What stands beside the push in a list: news of another call, in the members of this service. */
const NEIGHBOUR = { action: 'CallEstablish', callSid: '0' };

const asIs = (text: string): string => text;

function writeXml(
	{ root, entries }: PushContent,
	encoding = 'UTF-8',
	escape: (text: string) => string = escapeXml,
): string {
	const elements = entries.map(([name, value]) => `<${name}>${escape(value)}</${name}>`);
	return `<?xml version="1.0" encoding="${encoding}"?>\n<${root}>${elements.join('')}</${root}>`;
}

const writeJson = ({ entries }: PushContent): string =>
	JSON.stringify({ Request: Object.fromEntries(entries) });

const WRITE: Readonly<Record<PushForm, (push: PushContent) => WrittenPush>> = {
	proper: (push) =>
		push.format === 'json'
			? { contentType: 'application/json', body: writeJson(push) }
			: { contentType: 'text/plain', body: writeXml(push) },
	raw: (push) => ({
		contentType: 'text/plain',
		body:
			push.format === 'json'
				? writeJson(push).replace(/\\n/g, '\n').replace(/\\r/g, '\r').replace(/\\t/g, '\t')
				: writeXml(push, 'UTF-8', asIs),
	}),
	wrapped: ({ entries }) => ({
		contentType: 'application/json',
		body: JSON.stringify({ Request: Object.fromEntries(entries), version: '1' }),
	}),
	list: ({ entries }) => ({
		contentType: 'application/json',
		body: JSON.stringify([Object.fromEntries(entries), NEIGHBOUR]),
	}),
	mark: (push) => ({
		contentType: 'text/plain',
		body: `\ufeff${push.format === 'json' ? writeJson(push) : writeXml(push)}`,
	}),
	gbk: (push) => ({ contentType: 'text/plain', body: encodeGbk(writeXml(push, 'GBK')) }),
};

/** Writes a push in a form. */
export function writePush(push: PushContent, form: PushForm): WrittenPush {
	return WRITE[form](push);
}

let gbkBytes: Map<string, number> | undefined;

/** The two bytes of each character that GBK has beside ASCII: Node.js can only read them. */
function readGbk(): Map<string, number> {
	const decoder = new TextDecoder('gbk');
	const bytes = new Map<string, number>();
	for (let pair = 0x8140; pair <= 0xfefe; pair++) {
		const character = decoder.decode(Uint8Array.of(pair >> 8, pair & 0xff));
		if ([...character].length === 1) bytes.set(character, pair);
	}
	return bytes;
}

/** Encodes a text in GBK; what that does not have becomes a question mark. */
function encodeGbk(text: string): Buffer {
	gbkBytes ??= readGbk();
	const bytes = [...text].flatMap((character) => {
		if (character <= '\u007f') return [character.charCodeAt(0)];
		const pair = gbkBytes?.get(character);
		return pair === undefined ? [0x3f] : [pair >> 8, pair & 0xff];
	});
	return Buffer.from(bytes);
}

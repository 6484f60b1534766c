import type { Format } from './envelope';
import type { Settings } from './state';
import { SUCCESS, statusMessage } from './statusCodes';
import { escapeXml } from './xmlText';

/** The fields of one answer member, in the order of the specification; numbers only in JSON. */
export type AnswerFields = Readonly<Record<string, string | number>>;

/** What the service answers, before it is written as XML or JSON (specification 2 and 4). */
export interface Answer {
	readonly statusCode: string;
	readonly statusMsg?: string;
	readonly totalCount?: string;
	/** The operation's own member; a list from an operation that lists. */
	readonly member?: {
		readonly xml: string;
		readonly json: string;
		readonly value: AnswerFields | readonly AnswerFields[];
	};
}

/** An answer ready to be sent. */
export interface WrittenAnswer {
	readonly contentType: string;
	readonly body: string;
}

/**
 * A failure: a code and the service's words for it (specification 7).
 * @param statusMsg the words (default: the usual ones of the code)
 */
export const refusal = (statusCode: string, statusMsg = statusMessage(statusCode)): Answer => ({
	statusCode,
	statusMsg,
});

/** A success, which has no `statusMsg`. */
export const success = (member?: Answer['member'], totalCount?: string): Answer => ({
	statusCode: SUCCESS,
	...(totalCount !== undefined && { totalCount }),
	...(member && { member }),
});

/** Ids that the vendor's examples show with a leading blank. */
const IDS = new Set(['callSid', 'smsMessageSid', 'subAccountSid', 'orderid', 'voipAccount']);

const isList = (value: AnswerFields | readonly AnswerFields[]): value is readonly AnswerFields[] =>
	Array.isArray(value);

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

type Entries = ReadonlyArray<readonly [string, string | number]>;

/** How to write an answer: by the settings, and by whether its request has an odd number. */
interface Manner {
	readonly settings: Settings;
	readonly isOdd: boolean;
}

const toEntries = (fields: AnswerFields, { settings }: Manner): Entries =>
	Object.entries(fields).map(([name, value]) => [
		name,
		settings.leadingBlanks && IDS.has(name) ? ` ${value}` : value,
	]);

function writeXml(answer: Answer, manner: Manner): string {
	const { statusCode, statusMsg, totalCount, member } = answer;
	const values = member ? (isList(member.value) ? member.value : [member.value]) : [];
	const parts = [
		element('statusCode', statusCode),
		...(statusMsg === undefined ? [] : [element('statusMsg', statusMsg)]),
		...(totalCount === undefined ? [] : [element('totalCount', totalCount)]),
		...values.map((value) => {
			const inner = toEntries(value, manner).map(([name, text]) => element(name, String(text)));
			return `<${member?.xml}>${inner.join('')}</${member?.xml}>`;
		}),
	];
	const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
	return `${declaration}<Response>${parts.join('')}</Response>`;
}

const isReversed = ({ settings, isOdd }: Manner): boolean =>
	settings.memberOrder === 'reversed' || (settings.memberOrder === 'varying' && isOdd);

function toObject<T>(entries: ReadonlyArray<readonly [string, T]>, manner: Manner) {
	return Object.fromEntries(isReversed(manner) ? [...entries].reverse() : entries);
}

type JsonFields = Record<string, string | number>;

function writeJson(answer: Answer, manner: Manner): string {
	const { member, ...head } = answer;
	const toFields = (value: AnswerFields): JsonFields => toObject(toEntries(value, manner), manner);
	const value =
		member && (isList(member.value) ? member.value.map(toFields) : toFields(member.value));
	const entries: Array<[string, unknown]> = Object.entries(head);
	if (member && value !== undefined) entries.push([member.json, value]);
	return JSON.stringify(toObject(entries, manner));
}

/**
 * Writes an answer in the format that the client accepts (specification 4, service facts).
 * @param isOdd whether its request has an odd number, which can decide the order of members
 */
export function writeAnswer(
	answer: Answer,
	format: Format,
	settings: Settings,
	isOdd: boolean,
): WrittenAnswer {
	const write = format === 'xml' ? writeXml : writeJson;
	return {
		contentType: `application/${format};charset=utf-8`,
		body: write(answer, { settings, isOdd }),
	};
}

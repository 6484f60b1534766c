import type { Format } from './envelope';
import { SUCCESS, statusMessage } from './statusCodes';
import { escapeXml } from './xmlText';

/** The fields of one answer member, in the order of the specification. */
export type AnswerFields = Readonly<Record<string, string>>;

/** The operation's own member of an answer; a list from an operation that lists. */
export interface AnswerMember {
	readonly name: string;
	/** Its name in JSON, if that is another. */
	readonly jsonName?: string;
	readonly value: AnswerFields | readonly AnswerFields[];
}

/** What the service answers, before it is written as XML or JSON (specification 2 and 4). */
export interface Answer {
	readonly statusCode: string;
	readonly statusMsg?: string;
	readonly totalCount?: string;
	readonly member?: AnswerMember;
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
export const success = (member?: AnswerMember): Answer => ({ statusCode: SUCCESS, member });

/** Ids that the vendor's examples show with a leading blank. */
const IDS = new Set(['callSid', 'smsMessageSid', 'subAccountSid', 'orderid', 'voipAccount']);

/** How to write an answer. */
interface Manner {
	/** Whether ids start with a blank. */
	readonly leadingBlanks: boolean;
	/** Whether members come in reverse order, which JSON allows. */
	readonly isReversed: boolean;
}

type Entries = ReadonlyArray<readonly [string, string]>;

const toEntries = (fields: AnswerFields, { leadingBlanks }: Manner): Entries =>
	Object.entries(fields).map(([name, text]) => [
		name,
		leadingBlanks && IDS.has(name) ? ` ${text}` : text,
	]);

const writeElements = (entries: Entries): string =>
	entries.map(([name, text]) => `<${name}>${escapeXml(text)}</${name}>`).join('');

function writeXml({ member, ...head }: Answer, manner: Manner): string {
	const members = [member?.value ?? []]
		.flat()
		.map((each) => `<${member?.name}>${writeElements(toEntries(each, manner))}</${member?.name}>`);
	const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
	return `${declaration}<Response>${writeElements(Object.entries(head))}${members.join('')}</Response>`;
}

function writeJson({ member, ...head }: Answer, manner: Manner): string {
	const toObject = <T>(entries: ReadonlyArray<readonly [string, T]>) =>
		Object.fromEntries(manner.isReversed ? [...entries].reverse() : entries);
	const toFields = (each: AnswerFields) => toObject(toEntries(each, manner));
	const entries: Array<[string, unknown]> = Object.entries(head);
	if (member) {
		const { name, jsonName = name, value } = member;
		entries.push([
			jsonName,
			Array.isArray(value) ? value.map(toFields) : toFields(value as AnswerFields),
		]);
	}
	return JSON.stringify(toObject(entries));
}

/** Writes an answer in the format that the client accepts (specification 4, service facts). */
export const writeAnswer = (answer: Answer, format: Format, manner: Manner): WrittenAnswer => ({
	contentType: `application/${format};charset=utf-8`,
	body: format === 'xml' ? writeXml(answer, manner) : writeJson(answer, manner),
});

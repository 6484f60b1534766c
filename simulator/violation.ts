import { BAD_PARAMETER } from './statusCodes';

/** Every rule that a request is held to; who breaks one is refused. */
type RequestRule =
	// Address and authentication (specification 4, 5 and 9).
	| 'path'
	| 'version'
	| 'accountSid'
	| 'method'
	| 'authorization'
	| 'sig'
	| 'signature'
	| 'token'
	| 'query'
	// Headers (specification 5, rule 4).
	| 'Accept'
	| 'Content-Type'
	| 'contentLength'
	| 'transferEncoding'
	// Form of the body (specification 1, rule 3, and 4).
	| 'bodyOnGet'
	| 'body'
	| 'json'
	| 'xml'
	| 'root'
	| 'attribute'
	| 'notAnElement'
	| 'nested'
	| 'text'
	| 'repeatedField'
	| 'notAString'
	| 'notAnArray'
	// Fields (specification 4 and 8).
	| 'required'
	| 'field'
	| 'empty'
	| 'unknownField'
	| 'media'
	| 'ineffective'
	| 'recipients'
	| 'duplicates'
	| 'datas';

/** What goes wrong below the level of requests, and how receivers of results answer. */
type OtherRule = 'https' | 'http' | 'cutBody' | 'acknowledgement';

/** Short name of a rule, and behind a colon the field it is about: `sig`, `field:playTimes`. */
export type Rule = RequestRule | OtherRule | `${RequestRule}:${string}`;

/** A rule of the specification that a client broke. */
export interface Violation {
	readonly rule: Rule;
	/** What is wrong, in words, with the offending value where that helps. */
	readonly words: string;
	/** The code of the refusal. */
	readonly statusCode: string;
	/** HTTP status of the refusal. */
	readonly httpStatus: number;
}

/**
 * A broken rule.
 * @param statusCode the code of the refusal
 * @param httpStatus of the refusal
 */
export const broken = (
	rule: Rule,
	words: string,
	statusCode = BAD_PARAMETER,
	httpStatus = 200,
): Violation => ({ rule, words, statusCode, httpStatus });

const SHOWN = 60;

/** A value as the words of a violation show it: quoted, and cut if it is long. */
export const shown = (value: string): string =>
	JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

import { BAD_PARAMETER } from './statusCodes';

/** A rule of the specification that a client broke. */
export interface Violation {
	/** Its short name, and behind a colon the field it is about: `sig`, `field:playTimes`. */
	readonly rule: string;
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
	rule: string,
	words: string,
	statusCode = BAD_PARAMETER,
	httpStatus = 200,
): Violation => ({ rule, words, statusCode, httpStatus });

const SHOWN = 60;

/** A value as the words of a violation show it: quoted, and cut if it is long. */
export const shown = (value: string): string =>
	JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

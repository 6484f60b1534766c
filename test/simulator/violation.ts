/**
 * A rule of the specification that a client broke.
 */
export interface Violation {
	/** Short name of the rule, for example `sig` or `field:playTimes`. */
	readonly rule: string;
	/** What is wrong, in words, with the offending value where that helps. */
	readonly words: string;
	/** The service code that the simulator answers with. */
	readonly statusCode: string;
	/** HTTP status of that answer where it is not 200. */
	readonly httpStatus?: number;
}

const SHOWN = 60;

/** A value as it appears in the words of a violation: quoted, and cut where it is long. */
export const shown = (value: string): string =>
	JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

import { BAD_PARAMETER } from './statusCodes';

/**
 * Every rule, and what happens to a request that breaks it. Refused: the request is not allowed, or
 * what it asks for is not clear. Recorded: what it asks for is clear all the same, so it is carried
 * out, as a lenient service would, and the violation stands in the record.
 */
const CONSEQUENCES = {
	// Address and authentication (specification 4, 5 and 9).
	path: 'refused',
	version: 'refused',
	accountSid: 'refused',
	mainAccount: 'refused',
	method: 'refused',
	authorization: 'refused',
	sig: 'refused',
	signature: 'refused',
	token: 'refused',
	query: 'recorded',
	// Headers (specification 5, rule 4).
	Accept: 'recorded',
	'Content-Type': 'recorded',
	bodyFormat: 'refused',
	contentLength: 'recorded',
	transferEncoding: 'recorded',
	// Form of the body (specification 1, rule 3, and 4).
	bodyOnGet: 'recorded',
	body: 'refused',
	json: 'refused',
	xml: 'refused',
	root: 'refused',
	attribute: 'recorded',
	notAnElement: 'refused',
	nested: 'refused',
	text: 'refused',
	repeatedField: 'refused',
	notQuoted: 'recorded',
	notAString: 'refused',
	notAnArray: 'refused',
	// Fields (specification 4 and 8).
	required: 'refused',
	field: 'refused',
	empty: 'recorded',
	friendlyName: 'recorded',
	unknownField: 'recorded',
	media: 'refused',
	ineffective: 'recorded',
	recipients: 'refused',
	duplicates: 'refused',
	datas: 'refused',
	// Below the level of requests, and the receivers of call results.
	https: 'recorded',
	http: 'recorded',
	cutBody: 'recorded',
	acknowledgement: 'recorded',
} as const satisfies Record<string, 'refused' | 'recorded'>;

type RuleFamily = keyof typeof CONSEQUENCES;

/** Short name of a rule, and behind a colon the field it is about: `sig`, `field:playTimes`. */
export type Rule = RuleFamily | `${RuleFamily}:${string}`;

/** A rule of the specification that a client broke. */
export interface Violation {
	readonly rule: Rule;
	/** What is wrong, in words, with the offending value where that helps. */
	readonly words: string;
	/** Whether a request that breaks this rule is refused; otherwise it is carried out. */
	readonly isRefused: boolean;
	/** The code of the refusal. */
	readonly statusCode: string;
	/** HTTP status of the refusal if it is not 200. */
	readonly httpStatus?: number;
}

/**
 * A broken rule, with the consequence it has.
 * @param statusCode the code of the refusal, for rules that refuse
 * @param httpStatus of the refusal if it is not 200
 */
export function broken(
	rule: Rule,
	words: string,
	statusCode = BAD_PARAMETER,
	httpStatus?: number,
): Violation {
	const family = rule.split(':')[0] as RuleFamily;
	return {
		rule,
		words,
		isRefused: CONSEQUENCES[family] === 'refused',
		statusCode,
		...(httpStatus !== undefined && { httpStatus }),
	};
}

const SHOWN = 60;

/** A value as the words of a violation show it: quoted, and cut if it is long. */
export const shown = (value: string): string =>
	JSON.stringify(value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

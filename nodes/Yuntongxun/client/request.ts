import type { Fields, WireObject } from './codec';

/** How long a request and its whole answer may take if nothing else is set, in milliseconds. */
export const DEFAULT_TIMEOUT = 30_000;

/** One operation of the service as it goes over the wire. Specification section 4. */
export interface Endpoint {
	/** The operation's name in the specification. */
	name: string;
	/** What follows the account in the path; its name unless given. */
	path?: string;
	/** Root element of an XML request; a GET has none. */
	root?: string;
	/** Names that the member with the result can have; the root's name unless given. */
	members?: readonly string[];
	/** Whether that member must be there. It may be empty. */
	needsMember?: boolean;
	/** Field without which a success tells nothing. */
	essential?: string;
	/** What the essential field looks like; any text if not given. */
	essentialShape?: RegExp;
	/** Field that every record of the result must have, if there can be several. */
	essentialOfEach?: string;
	/** The most bytes of its answer that are read; 256 KB unless given. */
	maxAnswerBytes?: number;
	/** Whether it calls, sends, creates or closes: such a request must never go out twice. */
	hasSideEffects: boolean;
}

export interface ServiceRequest {
	endpoint: Endpoint;
	/** What the body holds; of a GET, what the query holds beside the signature. */
	fields: Fields;
	/** What no output or error may show, not even where the answer echoes it. */
	secrets?: readonly string[];
}

/** An answer with status code `000000` that has what is essential. */
export interface Answer {
	statusCode: string;
	/** A field of the result, trimmed; empty if missing. */
	text(name: string): string;
	/** The objects of the result: one, or those of a list. */
	records: WireObject[];
}

/** Sends one request and returns its checked answer; throws a {@link ServiceFailure} otherwise. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

import type { FaultEffect } from '../../../simulator/index';

/** Addresses at which there is no service to talk to, by what is wrong with them. */
export type DeadAddress =
	| 'nobodyListens'
	| 'unknownName'
	| 'expiredCertificate'
	| 'certificateOfAnotherHost'
	| 'certificateOfNobody'
	| 'noEncryption'
	| 'closedWhileConnecting'
	| 'resetWhileConnecting';

/**
 * What has to come of a request, by the contract: a result; or a failure, with what it has to say
 * about acceptance. `noResult` is a success of the service that lacks what makes it one: a failure
 * that was accepted, except where there is nothing to lack.
 */
export type Consequence = 'success' | 'no' | 'unknown' | 'noResult';

/** One thing that can go wrong between the node and the service. */
export interface MatrixFault {
	/** In words, as the report shows it. */
	readonly name: string;
	/** Where it happens. */
	readonly strikes:
		| { readonly kind: 'address'; readonly address: DeadAddress }
		| { readonly kind: 'effect'; readonly effect: FaultEffect; readonly accept: boolean };
	readonly then: Consequence;
	/** What the node's message has to say. */
	readonly says: RegExp;
	/** Where it is another thing in XML. */
	readonly inXml?: { readonly then: Consequence; readonly says: RegExp };
	/** The service's own code, where it gives one. */
	readonly statusCode?: string;
	/** Refused for too much at once: the node itself sends again before it gives up. */
	readonly isLoad?: boolean;
	/** Ends by the time-out only. */
	readonly isSlow?: boolean;
}

/** Stands in headers and bodies for the address of another host, which must never hear anything. */
export const ELSEWHERE = '{elsewhere}';

import type { Answer } from '../client/client';
import { formatServiceTimestamp } from '../util/serviceTime';

/** How a rehearsed call can end. */
export type RehearsedOutcome = 'completed' | 'noAnswer' | 'failed' | 'timeout';

/** How long a rehearsed call takes if somebody answers, in seconds. */
export const REHEARSED_SECONDS = '12';

/** 32 digits, as the service's own, which begin with the date of the call. */
const MADE_UP_ID = /^0{12}\d{20}$/;

/**
 * Makes up the id of a rehearsed request: zeros, the number of the execution, and the positions of the
 * item in the run and of the request in the item.
 */
export function buildMadeUpId(executionId: string, item: number, request: number): string {
	const execution = executionId.replace(/\D/g, '').slice(-10);
	const positions = String(item).padStart(6, '0') + String(request).padStart(4, '0');
	return '0'.repeat(12) + execution.padStart(10, '0') + positions;
}

/** Whether an id is of a rehearsal, so that the service does not know it. */
export const isMadeUpId = (id: string): boolean => MADE_UP_ID.test(id);

/**
 * The answer that an accepted request would have. Specification section 4.
 *
 * @param isCall a call's date has hyphens and colons
 */
export function buildMadeUpAnswer(id: string, isCall: boolean): Answer {
	const date = formatServiceTimestamp(new Date());
	const spaced = date.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6');
	const texts = new Map([
		['statusCode', '000000'],
		['callSid', id],
		['smsMessageSid', id],
		['orderid', id],
		['dateCreated', isCall ? spaced : date],
		['state', '0'],
		['callTime', REHEARSED_SECONDS],
	]);
	return { statusCode: '000000', text: (name) => texts.get(name) ?? '', records: [] };
}

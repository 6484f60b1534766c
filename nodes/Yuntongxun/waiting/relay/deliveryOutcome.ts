import { ACKNOWLEDGEMENT } from '../../callbacks/webhookExchange';
import { N8N_SAYS } from '../../util/n8nInternals';
import { parseJson } from '../../util/text';
import type { PostResult } from '../post/ownN8n';

/** What an answer to a delivery means, whoever gave it; the texts are for n8n's log. */
export type DeliveryOutcome =
	/** The results are taken, and the limit passes in so many milliseconds. */
	| { kind: 'waiting'; leftMs: number }
	/** The results are taken, and the wait is over. */
	| { kind: 'taken' }
	/** Nobody will ever take them. */
	| { kind: 'refused'; reason: string }
	/** The execution runs: it has not been parked yet, or it resumes. */
	| { kind: 'running'; reason: string }
	/** Another wait of the execution is in the way, as right before n8n parks it. */
	| { kind: 'blocked'; reason: string }
	/** Something on the way does not let a request of this size through. */
	| { kind: 'tooLarge'; reason: string }
	/** Anything else: silence, n8n cannot take them now, or a proxy answers in its place. */
	| { kind: 'failed'; reason: string };

const OTHER_WAIT: DeliveryOutcome = {
	kind: 'blocked',
	reason: 'the execution waits for another node',
};

/** What others than the waiting node answer. The first row that fits decides; any other has failed. */
const ANSWERS: ReadonlyArray<[statusCode: number, says: RegExp, outcome: DeliveryOutcome]> = [
	[404, N8N_SAYS.noExecution, { kind: 'refused', reason: 'the execution does not exist' }],
	[409, N8N_SAYS.isFinished, { kind: 'refused', reason: 'the execution has finished' }],
	[404, N8N_SAYS.waitsElsewhere, OTHER_WAIT],
	[409, N8N_SAYS.isRunning, { kind: 'running', reason: 'the execution is running' }],
	[413, /^/, { kind: 'tooLarge', reason: 'HTTP 413' }],
];

/** What the result of a delivery means. */
export function toDeliveryOutcome(result: PostResult): DeliveryOutcome {
	switch (result.kind) {
		case 'timedOut':
			return { kind: 'failed', reason: 'no answer in time' };
		case 'unreachable':
			return { kind: 'failed', reason: result.errorName };
		case 'answered': {
			const { statusCode, body } = result;
			const row = ANSWERS.find(([status, says]) => status === statusCode && says.test(body));
			const found = statusCode === 200 ? findNodeOutcome(body) : row?.[2];
			return found ?? { kind: 'failed', reason: `HTTP ${statusCode}` };
		}
	}
}

/** What the waiting node has answered; undefined if it was not the node. */
function findNodeOutcome(body: string): DeliveryOutcome | undefined {
	if (body === ACKNOWLEDGEMENT) return { kind: 'taken' };

	const { wait, leftMs } = Object(parseJson(body)) as Record<string, unknown>;
	if (wait === 'other') return OTHER_WAIT;
	return wait === 'waiting' && typeof leftMs === 'number' ? { kind: 'waiting', leftMs } : undefined;
}

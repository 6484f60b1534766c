import type { IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

import { withDeadline } from '../util/concurrency';
import { getWaitingBaseUrl, N8N_SAYS } from '../util/n8nInternals';
import { parseJson } from '../util/text';
import { buildResumeUrl } from './resumeKey';
import type { ResumeKey } from './resumeKey';

/** How long n8n may take to answer a knock, in milliseconds: it may be busy. */
const KNOCK_TIMEOUT_MS = 20_000;

/** A context of n8n, to post to n8n itself and to write to its log. */
export type Sender = IExecuteFunctions | IWebhookFunctions;

/** What the waiting node answers to a knock. */
export type KnockReply =
	| { wait: 'resumed' }
	/** With the time until the limit in milliseconds, and how many results the node sees. */
	| { wait: 'waiting'; leftMs: number; results: number }
	/** A resume is under way, or n8n's own timer is about to end the wait. */
	| { wait: 'soon' }
	/** The execution waits for something else. */
	| { wait: 'other' };

/** What a knock comes to. */
export type KnockOutcome =
	| KnockReply
	/** Not parked yet, or going on. */
	| { wait: 'running' }
	/** It will never wait again. */
	| { wait: 'over' }
	/** Anything else: silence, a refusal, or a page of some proxy. */
	| { wait: 'unknown'; reason: string };

/** This end of a connection; only one over TLS is encrypted. */
interface LocalEnd {
	readonly localAddress?: string;
	readonly localPort?: number;
	readonly encrypted?: boolean;
}

/**
 * The doors of the n8n that a request has come to, where one can knock: what the resume addresses of
 * executions begin with at its very socket, and at n8n's public address. The socket is left out if n8n does
 * TLS itself: its certificate is for the public name.
 */
export function findDoors(context: IWebhookFunctions): string[] {
	const publicDoor = getWaitingBaseUrl(context);
	const socket: LocalEnd = context.getRequestObject().socket;
	const { localAddress, localPort, encrypted = false } = socket;
	if (localAddress === undefined || encrypted) return [publicDoor];

	const address = localAddress.replace(/^::ffff:/i, '');
	const host = address.includes(':') ? `[${address}]` : address;
	const endpoint = publicDoor.slice(publicDoor.lastIndexOf('/') + 1);
	return [`http://${host}:${localPort}/${endpoint}`, publicDoor];
}

/** Knocks at a waiting execution. Never rejects. */
export async function knock(sender: Sender, door: string, key: ResumeKey): Promise<KnockOutcome> {
	return toOutcome(await postToOwnN8n(sender, buildResumeUrl(door, key), KNOCK_TIMEOUT_MS));
}

/** What n8n itself answers in place of the waiting node. The first row that fits decides. */
const ANSWERS: ReadonlyArray<[status: number, says: RegExp, outcome: KnockOutcome]> = [
	[404, N8N_SAYS.noExecution, { wait: 'over' }],
	[409, N8N_SAYS.isFinished, { wait: 'over' }],
	[404, N8N_SAYS.waitsElsewhere, { wait: 'other' }],
	[409, N8N_SAYS.isRunning, { wait: 'running' }],
];

function toOutcome(result: PostResult): KnockOutcome {
	if (result.kind === 'failed') return { wait: 'unknown', reason: result.reason };

	const { status, body } = result;
	const row = ANSWERS.find(([code, says]) => code === status && says.test(body));
	const found = status === 200 ? readReply(body) : row?.[2];
	return found ?? { wait: 'unknown', reason: `HTTP ${status}` };
}

/** What the waiting node has answered; undefined if it was not the node. */
function readReply(body: string): KnockReply | undefined {
	const { wait, leftMs, results } = Object(parseJson(body)) as Record<string, unknown>;
	switch (wait) {
		case 'resumed':
		case 'soon':
		case 'other':
			return { wait };
		case 'waiting': {
			const isWhole = typeof leftMs === 'number' && typeof results === 'number';
			return isWhole ? { wait, leftMs, results } : undefined;
		}
		default:
			return undefined;
	}
}

export type PostResult =
	| { kind: 'answered'; status: number; body: string }
	/** With the error's code or name. */
	| { kind: 'failed'; reason: string };

/**
 * Posts to an address of this n8n, without a body. Never rejects.
 *
 * @param timeoutMs milliseconds from now to the last byte of the answer
 */
export async function postToOwnN8n(
	{ helpers }: Sender,
	url: string,
	timeoutMs: number,
): Promise<PostResult> {
	// n8n's own timeout covers only the start of an answer.
	const deadline = AbortSignal.timeout(timeoutMs);
	try {
		const request = helpers.httpRequest({
			url,
			method: 'POST',
			timeout: 2 * timeoutMs,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}) as Promise<{ statusCode: number; body: unknown }>;
		const { statusCode: status, body } = await withDeadline(deadline, request);
		return { kind: 'answered', status, body: typeof body === 'string' ? body : '' };
	} catch (thrown) {
		const { code, name } = Object(thrown) as Record<string, unknown>;
		const reason = [code, name].find((each) => typeof each === 'string');
		return { kind: 'failed', reason: deadline.aborted ? 'no answer' : String(reason) };
	}
}

import type { IWebhookFunctions } from 'n8n-workflow';

import { getWaitingBaseUrl, N8N_SAYS } from '../util/n8nInternals';
import { parseJson } from '../util/text';
import { postToOwnN8n } from './ownN8n';
import type { PostResult, Sender } from './ownN8n';
import { buildResumeUrl } from './resumeKey';
import type { ResumeKey } from './resumeKey';

/** How long n8n may take to answer a knock, in milliseconds: it may be busy. */
const KNOCK_TIMEOUT_MS = 20_000;

/** Where to knock. */
export interface Door {
	/** At the socket on which a result came in, or at n8n's public address. */
	readonly kind: 'own' | 'public';
	/** What the resume addresses of executions begin with there. */
	readonly base: string;
}

/** This end of a connection; only one over TLS is encrypted. */
interface LocalEnd {
	readonly localAddress?: string;
	readonly localPort?: number;
	readonly encrypted?: boolean;
}

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

/**
 * The doors of the n8n that a request has come to. Its socket is left out if n8n does TLS itself: its
 * certificate is for the public name.
 */
export function findDoors(context: IWebhookFunctions): Door[] {
	const publicBase = getWaitingBaseUrl(context);
	const doors: Door[] = [{ kind: 'public', base: publicBase }];
	const socket: LocalEnd = context.getRequestObject().socket;
	const { localAddress, localPort, encrypted = false } = socket;
	if (localAddress === undefined || encrypted) return doors;

	const address = localAddress.replace(/^::ffff:/i, '');
	const host = address.includes(':') ? `[${address}]` : address;
	const endpoint = publicBase.slice(publicBase.lastIndexOf('/') + 1);
	return [{ kind: 'own', base: `http://${host}:${localPort}/${endpoint}` }, ...doors];
}

/** Knocks at a waiting execution. Never rejects. */
export async function knock(sender: Sender, door: Door, key: ResumeKey): Promise<KnockOutcome> {
	const url = buildResumeUrl(door.base, key);
	return toOutcome(await postToOwnN8n(sender, url, KNOCK_TIMEOUT_MS));
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

import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { postJson, untilListening } from '../../test/harness/http';
import { startLoopback } from '../../test/harness/loopback';
import { chain, hook, Startable } from '../../test/harness/waitWorkflows';
import { node } from '../../test/harness/workflows';
import type { World } from '../../test/harness/world';
import { LATENCY_MS } from './arena';
import { bareTrigger, getBareUrl, nothing } from './executions';
import { watchOutcome, type Outcome } from './outcome';

/**
 * Plays a service that takes a call, and has the address at which its execution waits posted to a relay.
 *
 * @param placed gets the moment of each call
 */
const startService = async (relayUrl: string, resultAfterMs: number, placed: number[]) =>
	await startLoopback((request, response) => {
		void json(request).then(async (body) => {
			const { resume } = body as { resume: string };
			await sleep(LATENCY_MS);
			placed.push(Date.now());
			response.end('{}');
			await sleep(resultAfterMs);
			await postJson(`${relayUrl}?resume=${encodeURIComponent(resume)}`, {});
		});
	});

/** The floor: a node that only parks, and a trigger that only posts until n8n takes it. */
export async function runBarePair(
	world: World,
	executions: number,
	resultAfterMs: number,
): Promise<Outcome> {
	const { rest } = world.n8n;
	const relay = bareTrigger();
	const relaying = await rest.createWorkflow(chain('Bare relay', relay, nothing()));
	await rest.activate(relaying);
	const relayUrl = getBareUrl(world, relay);
	await untilListening(relayUrl);

	const placed: number[] = [];
	const service = await startService(relayUrl, resultAfterMs, placed);
	const wait = node('Bare Wait', 'CUSTOM.bareWait', { service: `${service.url}/` });
	const waits = await Startable.activate(world, chain('Bare waits', hook(), wait, nothing()));
	const bodies = Array.from({ length: executions }, () => ({}));
	const outcome = await watchOutcome(world, waits, bodies, () => placed);
	await rest.deactivate(relaying);
	await service.stop();
	return outcome;
}

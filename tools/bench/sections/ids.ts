import type { Setup } from '../../../test/harness/setup';
import { until } from '../../../test/harness/until';
import { chain, hook, ours, splitPeople, Startable } from '../../../test/harness/workflows';
import { LATENCY_MS } from '../benchN8n';
import { duration, median, ratio, type Section } from '../report';

/** How many IDs a node remembers. */
const FULL = 20_000;
/** Calls of a run that is measured. */
const CALLS = 200;
const SEND = 'Send';

const FILLS = [
	['empty', 0],
	['half full', FULL / 2],
	['full', FULL],
] as const;

/** Calls with an ID each while n8n's row of a node's IDs is empty, half full and full. */
export async function idsSection(setup: Setup, rounds: number): Promise<Section> {
	const { send, countSent } = await prepare(setup);
	const figures: Array<{ name: string; ms: number }> = [];
	for (const [name, filled] of FILLS) {
		while (countSent() < filled) await send(Math.min(5000, filled - countSent()), 0);
		const times: number[] = [];
		for (let round = 0; round < rounds; round++) times.push(await send(CALLS, LATENCY_MS));
		figures.push({ name, ms: median(times) });
	}
	return {
		title: 'IDs on an empty, a half and a full row',
		method: `${CALLS} calls with an ID each, as n8n times the node itself; median of ${rounds} runs. n8n reads and writes the whole row of a node for each round trip.`,
		head: ['Row', 'Time', 'beside the empty row'],
		rows: figures.map(({ name, ms }) => [name, duration(ms), ratio(ms, figures[0].ms)]),
	};
}

/** A workflow that calls people, each time with IDs that are new to its node. */
async function prepare(setup: Setup) {
	const { credential, simulator } = setup;
	const call = ours(SEND, credential, {
		resource: 'call',
		operation: 'notify',
		to: '={{ $json.to }}',
		content: 'text',
		mediaTxt: 'Hello',
		options: { idempotencyKey: '={{ $json.id }}' },
	});
	const workflow = await Startable.activate(setup, chain('IDs', hook(), splitPeople(), call));
	let sent = 0;
	const send = async (count: number, latencyMs: number) => {
		simulator.reset();
		simulator.configure({ latencyMs });
		const people = Array.from({ length: count }, (_each, at) => ({
			to: String(13_800_000_000 + at),
			id: `id-${sent + at}`,
		}));
		sent += count;
		return await time(setup, workflow, people);
	};
	return { send, countSent: () => sent };
}

/** Runs the workflow once. @returns the node's time by n8n's own count, in milliseconds */
async function time({ n8n, simulator }: Setup, startable: Startable, people: object[]) {
	const before = await n8n.rest.countExecutions(startable.workflow, 'success');
	await startable.start({ people });
	const waits = { timeoutMs: 10 * 60_000, everyMs: 200 };
	await until(
		'the end of the execution',
		async () =>
			(await n8n.rest.countExecutions(startable.workflow, 'success')) > before || undefined,
		waits,
	);
	const [{ id }] = await n8n.rest.listExecutions(startable.workflow);
	const execution = await n8n.rest.execution(id);
	if (simulator.record.requests.length !== people.length) throw new Error('Not all were called');
	return execution.getRuns(SEND)[0].executionTime ?? NaN;
}

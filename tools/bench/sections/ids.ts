import type { World } from '../../../test/harness/world';
import { buildCalls, LATENCY_MS, prepareNode } from '../arena';
import { duration, median, ratio, type Section } from '../report';

/** How many IDs a node remembers. */
const FULL = 20_000;
/** Calls of a run that is measured. */
const CALLS = 200;
/** The most calls of a run that only fills the row. */
const FILLING = 5000;

const FILLS = [
	['empty', 0],
	['half full', FULL / 2],
	['full', FULL],
] as const;

/** Calls with an ID each while n8n's row of a node's IDs is empty, half full and full. */
export async function idsSection(world: World, rounds: number): Promise<Section> {
	const run = await prepareNode(world, buildCalls({ idempotencyKey: '={{ $json.id }}' }));
	let sent = 0;
	const send = async (count: number, latencyMs: number): Promise<number> => {
		const people = Array.from({ length: count }, (_each, at) => ({
			to: String(13_800_000_000 + at),
			id: `id-${sent + at}`,
		}));
		sent += count;
		return await run(people, latencyMs);
	};
	const figures: Array<{ name: string; ms: number }> = [];
	for (const [name, filled] of FILLS) {
		while (sent < filled) await send(Math.min(FILLING, filled - sent), 0);
		const times: number[] = [];
		for (let round = 0; round < rounds; round++) times.push(await send(CALLS, LATENCY_MS));
		figures.push({ name, ms: median(times) });
	}
	return {
		title: 'IDs on an empty, a half and a full row',
		method: `${CALLS} calls with an ID each, as n8n times the node itself; median of ${rounds} runs. n8n reads and writes the whole row of a node for each round trip.`,
		head: ['Row', 'Time', 'beside the empty row'],
		rows: figures.map(({ name, ms }) => [name, duration(ms), ratio(ms, figures[0].ms)]),
		verdicts: [],
	};
}

import { runNode, type Arena } from '../arena';
import { ourCalls, ourNode, recipients, TO } from '../contestants';
import { duration, median, ratio, type Section } from '../report';

const MAX_STOP_MS = 100;
/** n8n parses and writes its whole row for each batch of records. */
const MAX_STOP_OF_FULL_ROW_MS = 250;
const MAX_MORE_MS = 600;
const MAX_MORE_FOR_ONE_MS = 10;
/** A node remembers no more. */
const FULL = 20_000;

const SMS = ourNode({ resource: 'sms', operation: 'send', to: TO, templateId: '100000' });
const CALL = ourCalls(10);
const KEY = { idempotencyKey: TO };
const A_LIMIT = { limits: { rule: [{ by: 'number', max: 1000, per: 'day' }] } };
const LIMITED = {
	idempotencyKey: 'spring sale',
	limits: { rule: [{ by: 'number', max: 1, per: 'day' }] },
};

/** What keys and limits cost, and the longest stop of n8n's event loop while the node executes. */
export async function keysSection(arena: Arena, rounds: number): Promise<Section> {
	const people = recipients(5000);
	const some = people.slice(0, 1000);
	const all = people.map(({ to }) => to);
	const list = all.slice(0, 3000);
	const one = [{ to: all.join() }];
	const runs = [
		{ name: 'one SMS to 5,000', node: SMS, options: {}, items: one },
		{ name: 'with key and limit', node: SMS, options: LIMITED, items: one, base: 0 },
		{
			name: 'one SMS to 3,000, with key and limit, a request refused',
			node: SMS,
			options: LIMITED,
			items: [{ to: list.join() }],
			refused: list[0],
		},
		{ name: '1,000 calls', node: CALL, options: {}, items: some },
		{ name: 'with keys, row empty', node: CALL, options: KEY, items: some, base: 3 },
		{
			name: 'with keys, row full',
			node: CALL,
			options: KEY,
			items: some,
			records: FULL,
			base: 3,
			maxStop: MAX_STOP_OF_FULL_ROW_MS,
		},
		{ name: 'one SMS to one number', node: SMS, options: {}, items: people.slice(0, 1) },
		{ name: 'with a limit', node: SMS, options: A_LIMIT, items: people.slice(0, 1), base: 6 },
	].map((run) => ({ ...run, times: [] as number[], stops: [] as number[] }));
	for (let round = 0; round < rounds; round++) {
		for (const { node, options, items = people, records = 0, refused, times, stops } of runs) {
			const watched = {
				...node,
				type: 'CUSTOM.watched',
				parameters: { ...node.parameters, options, records },
				onError: 'continueRegularOutput' as const,
			};
			const { items: output } = await runNode(arena, watched, items, () => {
				if (refused === undefined) return;
				arena.simulator.fail({ kind: 'statusCode', statusCode: '160040', number: refused });
			});
			times.push(Number(output[0].json.ms));
			stops.push(Number(output[0].json.stopMs));
		}
	}
	const medianTime = (run: number) => median(runs[run].times);
	return {
		title: 'Idempotency keys and limits',
		method: `How long \`execute()\` takes, with 10 requests at a time, and the longest stop of n8n's event loop meanwhile in CPU time, n8n's own work on its row of processed keys included; median of ${rounds} runs, taken in turn. The limit is one a day for each number. With keys, each call has one; a row of ${FULL} records is full.`,
		head: ['What', 'Time', 'Times as long', 'Longest stop'],
		rows: runs.map(({ name, base, stops }, run) => [
			name,
			duration(medianTime(run)),
			base === undefined ? '' : ratio(medianTime(run), medianTime(base)),
			duration(median(stops)),
		]),
		verdicts: [
			{
				aim: `one SMS to 5,000, more with key and limit: at most ${duration(MAX_MORE_MS)}`,
				seen: duration(medianTime(1) - medianTime(0)),
				met: medianTime(1) - medianTime(0) <= MAX_MORE_MS,
			},
			{
				aim: `one SMS, more with a limit: at most ${duration(MAX_MORE_FOR_ONE_MS)}`,
				seen: duration(medianTime(7) - medianTime(6)),
				met: medianTime(7) - medianTime(6) <= MAX_MORE_FOR_ONE_MS,
			},
			...runs.map(({ name, stops, maxStop = MAX_STOP_MS }) => ({
				aim: `${name}, longest stop: below ${maxStop} ms`,
				seen: duration(median(stops)),
				met: median(stops) < maxStop,
			})),
		],
	};
}

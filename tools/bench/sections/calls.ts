import { LATENCY_MS, runNode, type Arena } from '../arena';
import { minimalCalls, httpRequestCalls, ourCalls, recipients, TO } from '../contestants';
import { atMost, duration, median, ratio, type Section } from '../report';

const ITEMS = 1000;

/** The highest ratio to the minimal node aimed at, by concurrency. */
const AIMS: ReadonlyArray<readonly [concurrency: number, most: number]> = [
	[1, 1.15],
	[10, 1.25],
	[50, 1.35],
];

/** 1,000 calls at several widths, beside the minimal node and n8n's HTTP Request node. */
export async function callsSection(arena: Arena, rounds: number): Promise<Section> {
	const items = recipients(ITEMS);
	const { simulator } = arena;
	const contestants = [
		...AIMS.flatMap(([width]) => [
			{ name: `ours ${width}`, node: ourCalls(width) },
			{ name: `minimal ${width}`, node: minimalCalls(simulator, width) },
			// One at a time, nearly all the time is the network's.
			...(width === 1
				? []
				: [{ name: `reading ${width}`, node: minimalCalls(simulator, width, TO) }]),
		]),
		{ name: 'http', node: httpRequestCalls(simulator) },
	];
	const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		// Every other round backwards, so that a machine that slows down slows all alike.
		const order = round % 2 === 0 ? contestants : [...contestants].reverse();
		for (const { name, node } of order) {
			const { ms, requests } = await runNode(arena, node, items);
			if (requests !== ITEMS) throw new Error(`${name} made ${requests} requests`);
			times.get(name)?.push(ms);
		}
	}
	const of = (name: string) => median(times.get(name) ?? []);
	return {
		title: '1,000 notification calls',
		method:
			`One execution with ${ITEMS} items, as n8n times the node itself; median of ${rounds} runs, taken in turn. ` +
			'*Ideal* is items × latency / concurrency. ' +
			"The *minimal node* hands requests to n8n's signing HTTP helper and checks nothing; it takes the number " +
			'from the item. The *minimal node with To* has a field To with an expression, which n8n works out for ' +
			'every item before the first request: no node with such a field can be faster.',
		head: [
			'Concurrency',
			'Ideal',
			'Minimal node',
			'Minimal node with To',
			'This node',
			'This node / minimal node',
			'This node / minimal node with To',
		],
		rows: [
			...AIMS.map(([width]) => {
				const [ours, minimal, reading] = ['ours', 'minimal', 'reading'].map((kind) =>
					of(`${kind} ${width}`),
				);
				return [
					String(width),
					duration((ITEMS * LATENCY_MS) / width),
					duration(minimal),
					width === 1 ? '' : duration(reading),
					duration(ours),
					ratio(ours, minimal),
					width === 1 ? '' : ratio(ours, reading),
				];
			}),
			[
				"all at once, n8n's HTTP Request node",
				duration(LATENCY_MS),
				'',
				'',
				duration(of('http')),
				'',
				'',
			],
		],
		verdicts: [
			...AIMS.map(([width, most]) =>
				atMost(
					`this node / minimal node at ${width}`,
					of(`ours ${width}`),
					of(`minimal ${width}`),
					most,
				),
			),
			...AIMS.filter(([width]) => width > 1).map(([width, most]) =>
				atMost(
					`this node / minimal node with To at ${width}`,
					of(`ours ${width}`),
					of(`reading ${width}`),
					most,
				),
			),
			atMost("this node at 50 / n8n's HTTP Request node", of('ours 50'), of('http'), 1),
		],
	};
}

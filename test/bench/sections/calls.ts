import { LATENCY_MS, runNode, type Arena } from '../arena';
import { bareCalls, httpRequestCalls, ourCalls, recipients, TO } from '../contestants';
import { atMost, duration, median, ratio, type Section } from '../report';

const ITEMS = 1000;

/** The highest ratio to the bare helper aimed at, by concurrency. */
const AIMS: ReadonlyArray<readonly [concurrency: number, most: number]> = [
	[1, 1.1],
	[10, 1.1],
	[50, 1.25],
];

/** 1,000 calls at several widths, next to the bare helper and to n8n's HTTP Request node. */
export async function callsSection(arena: Arena, rounds: number): Promise<Section> {
	const items = recipients(ITEMS);
	const { simulator } = arena;
	const contestants = [
		...AIMS.flatMap(([width]) => [
			{ name: `ours ${width}`, node: ourCalls(width) },
			{ name: `bare ${width}`, node: bareCalls(simulator, width) },
			// One at a time the network takes all the time there is.
			...(width === 1 ? [] : [{ name: `reading ${width}`, node: bareCalls(simulator, width, TO) }]),
		]),
		{ name: 'http', node: httpRequestCalls(simulator) },
	];
	const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		// Every other round backwards, so that what slows down with time slows all alike.
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
			'*Ideal* is items × latency / concurrency. *Bare helper* is a node that does nothing but hand requests to ' +
			"n8n's signing HTTP helper, and finds the number in the item. *Bare helper, To read* has n8n work out the " +
			'expression in its field To for every item before it begins, as every node does whose field takes an ' +
			'expression and that checks all items first: below it lies no such node.',
		head: [
			'Concurrency',
			'Ideal',
			'Bare helper',
			'Bare helper, To read',
			'This node',
			'This node / bare helper',
			'This node / bare helper, To read',
		],
		rows: [
			...AIMS.map(([width]) => {
				const [ours, bare, reading] = ['ours', 'bare', 'reading'].map((kind) =>
					of(`${kind} ${width}`),
				);
				return [
					String(width),
					duration((ITEMS * LATENCY_MS) / width),
					duration(bare),
					width === 1 ? '' : duration(reading),
					duration(ours),
					ratio(ours, bare),
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
					`this node / bare helper at ${width}`,
					of(`ours ${width}`),
					of(`bare ${width}`),
					most,
				),
			),
			...AIMS.filter(([width]) => width > 1).map(([width, most]) =>
				atMost(
					`this node / bare helper, To read, at ${width}`,
					of(`ours ${width}`),
					of(`reading ${width}`),
					most,
				),
			),
			atMost("this node at 50 / n8n's HTTP Request node", of('ours 50'), of('http'), 1),
		],
	};
}

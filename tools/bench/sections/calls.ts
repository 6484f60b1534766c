import type { WorkflowNode } from '../../../test/harness/n8nRest';
import { httpRequestNode, node } from '../../../test/harness/workflows';
import type { World } from '../../../test/harness/world';
import { LATENCY_MS, runNode } from '../arena';
import { atMost, duration, median, ratio, recipients, type Section } from '../report';

const ITEMS = 1000;
const WIDTHS = [1, 10, 50];
const SPOKEN = 'Your order is ready';

/** 1,000 calls at several widths, beside n8n's HTTP Request node. */
export async function callsSection(arena: World, rounds: number): Promise<Section> {
	const items = recipients(ITEMS);
	const contestants = [
		...WIDTHS.map((width) => ({ name: String(width), node: buildCalls(width) })),
		{ name: 'http', node: buildHttpRequests(arena) },
	];
	const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		// Every other round backwards, so that a machine that slows down slows all alike.
		const order = round % 2 === 0 ? contestants : contestants.toReversed();
		for (const { name, node: contestant } of order) {
			const { ms, requests } = await runNode(arena, contestant, items);
			if (requests !== ITEMS) throw new Error(`${name} made ${requests} requests`);
			times.get(name)?.push(ms);
		}
	}
	const of = (name: string) => median(times.get(name) ?? []);
	return {
		title: '1,000 notification calls',
		method:
			`One execution with ${ITEMS} items, as n8n times the node itself; median of ${rounds} runs, taken in turn. ` +
			"*Ideal* is items × latency / concurrency. n8n's HTTP Request node sends the same requests, all at once.",
		head: ['Concurrency', 'Ideal', 'This node', 'This node / HTTP Request node'],
		rows: [
			...WIDTHS.map((width) => [
				String(width),
				duration((ITEMS * LATENCY_MS) / width),
				duration(of(String(width))),
				ratio(of(String(width)), of('http')),
			]),
			["n8n's HTTP Request node", duration(LATENCY_MS), duration(of('http')), ''],
		],
		verdicts: [atMost("this node at 50 / n8n's HTTP Request node", of('50'), of('http'), 1)],
	};
}

/** Our node, making a notification call for each item. */
const buildCalls = (maxConcurrency: number): WorkflowNode =>
	node('Yuntongxun', 'n8n-nodes-yuntongxun.yuntongxun', {
		resource: 'call',
		operation: 'notify',
		to: '={{ $json.to }}',
		content: 'text',
		mediaTxt: SPOKEN,
		options: { maxConcurrency },
	});

/** n8n's HTTP Request node with the same requests, all at once, as it does without batching. */
function buildHttpRequests({ simulator: { url, credentials } }: World): WorkflowNode {
	const { appId, accountSid } = credentials;
	const length = JSON.stringify({ to: '13800000000', appId, mediaTxt: SPOKEN }).length;
	return httpRequestNode(
		`${url}/2013-12-26/Accounts/${accountSid}/Calls/LandingCalls`,
		// Earlier packages, to compare with, do not add them.
		{ Accept: 'application/json', 'Content-Length': String(length) },
		{
			method: 'POST',
			sendBody: true,
			contentType: 'raw',
			rawContentType: 'application/json;charset=utf-8',
			body: `={{ JSON.stringify({ to: $json.to, appId: '${appId}', mediaTxt: '${SPOKEN}' }) }}`,
		},
	);
}

import type { WorkflowNode } from '../../../test/harness/n8nRest';
import type { Setup } from '../../../test/harness/setup';
import { httpRequestNode, node } from '../../../test/harness/workflows';
import { LATENCY_MS, runNode } from '../benchN8n';
import { duration, median, ratio, recipients, type Section } from '../report';

const ITEMS = 1000;
/** Requests of a run that are under way at once. */
const AT_ONCE = 10;
const SPOKEN = 'Your order is ready';

/** 1,000 calls, with an ID each and without, beside n8n's HTTP Request node. */
export async function callsSection(setup: Setup, rounds: number): Promise<Section> {
	const items = recipients(ITEMS);
	const contestants = [
		{ name: 'plain', node: buildCalls({}) },
		{ name: 'ids', node: buildCalls({ idempotencyKey: '=order-{{ $json.to }}' }) },
		{ name: 'http', node: buildHttpRequests(setup) },
	];
	const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
	for (let round = 0; round < rounds; round++) {
		// Every other round backwards, so that a machine that slows down slows all alike.
		const order = round % 2 === 0 ? contestants : contestants.toReversed();
		for (const { name, node: measured } of order) {
			const { ms, requests } = await runNode(setup, measured, items);
			if (requests !== ITEMS) throw new Error(`${name} made ${requests} requests`);
			times.get(name)?.push(ms);
		}
	}
	const [plain, ids, http] = contestants.map(({ name }) => median(times.get(name) ?? []));
	const ideal = (ITEMS * LATENCY_MS) / AT_ONCE;
	return {
		title: '1,000 notification calls',
		method: `One execution with ${ITEMS} items, as n8n times the node itself; median of ${rounds} runs, taken in turn. *Ideal* is items × latency / ${AT_ONCE}. n8n's HTTP Request node sends the same requests, all at once. The aims: at most 1.2 times the ideal, and 1.5 times as long with an ID each.`,
		head: ['Node', 'Time', 'beside the ideal', 'beside the HTTP Request node'],
		rows: [
			['This node', duration(plain), ratio(plain, ideal), ratio(plain, http)],
			['This node, an ID each', duration(ids), ratio(ids, ideal), ratio(ids, http)],
			["n8n's HTTP Request node", duration(http), '', ''],
		],
	};
}

/** Our node, making a notification call for each item. */
const buildCalls = (options: Record<string, string>): WorkflowNode =>
	node('Yuntongxun', 'n8n-nodes-yuntongxun.yuntongxun', {
		resource: 'call',
		operation: 'notify',
		to: '={{ $json.to }}',
		content: 'text',
		mediaTxt: SPOKEN,
		options,
	});

/** n8n's HTTP Request node with the same requests, all at once, as it does without batching. */
function buildHttpRequests({ simulator: { url, credentials } }: Setup): WorkflowNode {
	const { appId, accountSid } = credentials;
	return httpRequestNode(`${url}/2013-12-26/Accounts/${accountSid}/Calls/LandingCalls`, {
		method: 'POST',
		sendBody: true,
		contentType: 'raw',
		rawContentType: 'application/json;charset=utf-8',
		body: `={{ JSON.stringify({ to: $json.to, appId: '${appId}', mediaTxt: '${SPOKEN}' }) }}`,
	});
}

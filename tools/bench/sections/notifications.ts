import { randomUUID } from 'node:crypto';
import { until } from '../../../test/harness/until';
import type { WorkflowNode } from '../../../test/harness/n8nRest';
import { node } from '../../../test/harness/workflows';
import { chain, hook } from '../../../test/harness/waitWorkflows';
import { listening, type Arena } from '../arena';
import { followPeakMemory } from '../memory';
import { atMost, median, ratio, type Section } from '../report';

const NOTIFICATIONS = 600;
const AT_ONCE = 20;
const LIMIT_MS = 5 * 60_000;

/** The result of a call as the service reports it: specification section 6. */
const notification = (callSid: string) =>
	`<?xml version="1.0" encoding="UTF-8"?><Request><action>SellingCall</action><callSid>${callSid}</callSid><number>13800000000</number><state>0</state><duration>30</duration></Request>`;

/** Notifications per second through our trigger and through n8n's own Webhook node. */
export async function notificationsSection(arena: Arena, rounds: number): Promise<Section> {
	const contestants = [
		{ name: "n8n's Webhook node", make: () => hook() },
		{ name: 'an empty community trigger', make: () => bareTrigger() },
		{ name: 'this trigger', make: () => trigger() },
	];
	const rates = new Map<string, { answered: number[]; executed: number[]; memory: number[] }>();
	for (let round = 0; round < rounds; round++) {
		for (const { name, make } of contestants) {
			const rate = rates.get(name) ?? { answered: [], executed: [], memory: [] };
			rates.set(name, rate);
			// A fresh n8n, so that none pays for the memory of another.
			await arena.n8n.restart();
			const peak = followPeakMemory(arena.n8n);
			const { answered, executed } = await flood(arena, make());
			rate.memory.push(peak());
			rate.answered.push(answered);
			rate.executed.push(executed);
		}
	}
	const of = (name: string) => {
		const { answered = [], executed = [], memory = [] } = rates.get(name) ?? {};
		return { answered: median(answered), executed: median(executed), memory: median(memory) };
	};
	const [webhook, empty] = contestants.map(({ name }) => of(name));
	const own = of('this trigger');
	return {
		title: 'Notifications',
		method: `${NOTIFICATIONS} notifications of different calls, ${AT_ONCE} at a time, to an active workflow of a trigger and one empty node, in an n8n that has just started; memory is what n8n used on top at its highest point; median of ${rounds} runs, taken in turn. By default n8n stores every execution.`,
		head: [
			'Trigger',
			'Answered a second',
			'Executed a second',
			'Executed / Webhook node',
			'Memory',
		],
		rows: contestants.map(({ name }) => {
			const { answered, executed, memory } = of(name);
			const beside = ratio(executed, webhook.executed);
			return [name, answered.toFixed(0), executed.toFixed(0), beside, `${memory.toFixed(0)} MB`];
		}),
		verdicts: [
			atMost('the empty trigger’s rate beside this one’s', empty.executed, own.executed, 1.05),
			atMost('memory beside the empty trigger', own.memory, empty.memory, 1.1),
		],
	};
}

function bareTrigger(): WorkflowNode {
	return { ...node('Bare', 'CUSTOM.bareTrigger'), webhookId: randomUUID() };
}

function trigger(): WorkflowNode {
	return {
		...node('Trigger', 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
			events: ['voiceNotification'],
			options: {},
		}),
		webhookId: randomUUID(),
	};
}

/** Sends all notifications and waits for their executions. Rates are per second. */
async function flood(arena: Arena, start: WorkflowNode) {
	const { rest } = arena.n8n;
	const workflow = await rest.createWorkflow(
		chain('Flood', start, node('Nothing', 'n8n-nodes-base.noOp')),
	);
	await rest.activate(workflow);
	const [stored] = workflow.nodes;
	const url = buildAddress(arena, stored);
	await listening(url);
	const began = Date.now();
	let next = 0;
	const send = async () => {
		while (next < NOTIFICATIONS) {
			const callSid = `20260102093000${String(next++).padStart(18, '0')}`;
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/xml' },
				body: notification(callSid),
			});
			await response.arrayBuffer();
			if (response.status !== 200) throw new Error(`HTTP ${response.status} from ${url}`);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, send));
	const answered = Date.now();
	await until(
		'all executions to end',
		async () => (await rest.countExecutions(workflow, 'success')) >= NOTIFICATIONS || undefined,
		{ timeoutMs: LIMIT_MS, everyMs: 1000 },
	);
	const ended = Date.now();
	await rest.deactivate(workflow);
	const perSecond = (end: number) => (NOTIFICATIONS / (end - began)) * 1000;
	return { answered: perSecond(answered), executed: perSecond(ended) };
}

function buildAddress({ n8n: { rest, url } }: Arena, stored: WorkflowNode): string {
	if (stored.name === 'Bare') return `${url}/webhook/${stored.webhookId}/bare`;
	return stored.name === 'Trigger' ? rest.triggerUrl(stored) : rest.webhookUrl(stored);
}

import { randomUUID } from 'node:crypto';
import { until } from '../../n8n/harness/until';
import type { WorkflowNode } from '../../n8n/harness/n8nRest';
import { node } from '../../n8n/support/workflows';
import { chain, hook } from '../../n8n/support/waiting';
import type { Arena } from '../arena';
import { median, ratio, type Section } from '../report';

const NOTIFICATIONS = 1000;
const AT_ONCE = 20;
const LIMIT_MS = 5 * 60_000;

/** The result of a call as the service reports it: specification section 6. */
const notification = (callSid: string) =>
	`<?xml version="1.0" encoding="UTF-8"?><Request><action>SellingCall</action><callSid>${callSid}</callSid><number>13800000000</number><state>0</state><duration>30</duration></Request>`;

/** Notifications a second through our trigger and through n8n's own Webhook node. */
export async function notificationsSection(arena: Arena, rounds: number): Promise<Section> {
	const contestants = [
		{ name: "n8n's Webhook node", make: () => hook() },
		{ name: 'this trigger, Ignore Duplicates off', make: () => trigger(false) },
		{ name: 'this trigger', make: () => trigger(true) },
	];
	const rates = new Map<string, { answered: number[]; executed: number[] }>();
	for (let round = 0; round < rounds; round++) {
		for (const { name, make } of contestants) {
			const rate = rates.get(name) ?? { answered: [], executed: [] };
			rates.set(name, rate);
			const { answered, executed } = await flood(arena, make());
			rate.answered.push(answered);
			rate.executed.push(executed);
		}
	}
	const of = (name: string) => {
		const { answered = [], executed = [] } = rates.get(name) ?? {};
		return { answered: median(answered), executed: median(executed) };
	};
	const webhook = of(contestants[0].name);
	return {
		title: 'Notifications',
		method: `${NOTIFICATIONS} notifications of different calls, ${AT_ONCE} at a time, to an active workflow of a trigger and one empty node, in the same n8n; median of ${rounds} runs, taken in turn. By default n8n stores every execution.`,
		head: ['Trigger', 'Answered a second', 'Executed a second', 'Executed / Webhook node'],
		rows: contestants.map(({ name }) => {
			const { answered, executed } = of(name);
			return [name, answered.toFixed(0), executed.toFixed(0), ratio(executed, webhook.executed)];
		}),
		verdicts: [],
	};
}

function trigger(ignoreDuplicates: boolean): WorkflowNode {
	return {
		...node('Trigger', 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
			events: ['voiceNotification'],
			options: { ignoreDuplicates },
		}),
		webhookId: randomUUID(),
	};
}

/** Sends all notifications and waits until each has had its execution; rates are a second. */
async function flood({ n8n: { rest } }: Arena, start: WorkflowNode) {
	const workflow = await rest.createWorkflow(
		chain('Flood', start, node('Nothing', 'n8n-nodes-base.noOp')),
	);
	await rest.activate(workflow);
	const [stored] = workflow.nodes;
	const url = stored.name === 'Trigger' ? rest.triggerUrl(stored) : rest.webhookUrl(stored);
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
		async () => (await rest.countSucceeded(workflow)) >= NOTIFICATIONS || undefined,
		{ timeoutMs: LIMIT_MS, everyMs: 1000 },
	);
	const ended = Date.now();
	await rest.deactivate(workflow);
	const perSecond = (end: number) => (NOTIFICATIONS / (end - began)) * 1000;
	return { answered: perSecond(answered), executed: perSecond(ended) };
}

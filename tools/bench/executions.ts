import { randomUUID } from 'node:crypto';
import { forEach } from '../../test/harness/atOnce';
import { untilListening } from '../../test/harness/http';
import type { StoredWorkflow, WorkflowNode } from '../../test/harness/n8nRest';
import { until } from '../../test/harness/until';
import { chain } from '../../test/harness/waitWorkflows';
import { node } from '../../test/harness/workflows';
import type { World } from '../../test/harness/world';

const AT_ONCE = 20;
const LIMIT_MS = 5 * 60_000;
const EVERY_MS = 200;
/** After so long without a change nothing more is expected. */
const QUIET_MS = 120_000;

/** A node that does nothing with its items. */
export const nothing = () => node('Nothing', 'n8n-nodes-base.noOp');

/** The least that a community trigger can do: see neighbours/BareTrigger. */
export const bareTrigger = (): WorkflowNode => ({
	...node('Bare', 'CUSTOM.bareTrigger'),
	webhookId: randomUUID(),
});

/** Where a {@link bareTrigger} of an active workflow listens. */
export const getBareUrl = ({ n8n: { url } }: World, { webhookId }: WorkflowNode): string =>
	`${url}/webhook/${webhookId}/bare`;

/** Waits until all executions have succeeded, or nothing has happened for two minutes. */
export async function untilOver({ n8n: { rest } }: World, workflow: StoredWorkflow, count: number) {
	let [done, changed] = [0, Date.now()];
	await until(
		'all executions to end',
		async () => {
			const now = await rest.countExecutions(workflow, 'success');
			if (now > done) [done, changed] = [now, Date.now()];
			return done >= count || Date.now() - changed > QUIET_MS || undefined;
		},
		{ timeoutMs: LIMIT_MS, everyMs: EVERY_MS },
	);
	return { missing: count - done, at: changed };
}

/** The result of a call as the service reports it: specification section 6. */
const buildNotification = (callSid: string) =>
	`<?xml version="1.0" encoding="UTF-8"?><Request><action>SellingCall</action><callSid>${callSid}</callSid><number>13800000000</number><state>0</state><duration>30</duration></Request>`;

/** What became of a flood, in milliseconds since its begin. */
export interface Flood {
	/** Until all were answered. */
	answered: number;
	/** Until the executions that they start were over. */
	ended: number;
}

/** Sends so many results of different calls, 20 at a time, to an active workflow that begins with a trigger. */
export async function flood(world: World, start: WorkflowNode, count: number): Promise<Flood> {
	const { rest } = world.n8n;
	const workflow = await rest.createWorkflow(chain('Flood', start, nothing()));
	await rest.activate(workflow);
	const url = findUrl(world, workflow.nodes[0]);
	await untilListening(url);
	const began = Date.now();
	const numbers = Array.from({ length: count }, (_, at) => String(at));
	await forEach(numbers, AT_ONCE, async (number) => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/xml' },
			body: buildNotification(`20260102093000${number.padStart(18, '0')}`),
		});
		await response.arrayBuffer();
		if (response.status !== 200) throw new Error(`HTTP ${response.status} from ${url}`);
	});
	const answered = Date.now();
	const { missing, at } = await untilOver(world, workflow, count);
	if (missing > 0) throw new Error(`${missing} executions did not start, or did not end`);
	await rest.deactivate(workflow);
	return { answered: answered - began, ended: at - began };
}

function findUrl(world: World, start: WorkflowNode): string {
	const { rest } = world.n8n;
	if (start.type === 'CUSTOM.bareTrigger') return getBareUrl(world, start);
	return start.type.endsWith('yuntongxunTrigger') ? rest.triggerUrl(start) : rest.webhookUrl(start);
}

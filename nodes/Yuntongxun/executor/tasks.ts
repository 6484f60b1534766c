import { sleep } from 'n8n-workflow';

import type { Send } from '../client/request';
import type { TokenUsage } from '../operation/defineOperation';
import { workConcurrently } from '../util/concurrency';
import { buildHangingError } from './errors';
import { findAcceptance } from './model';
import type { Item, TaskItem } from './model';
import { sendUntilTaken, toSentFate } from './send';
import type { StopSignal } from './stopSignal';

/** How many tasks are under way at most. */
const CONCURRENCY = 10;

/** Keeps a request from going out after the run has stopped. */
class StoppedBeforeRequest extends Error {
	constructor() {
		super('The run stopped before this request');
	}
}

/** What all tasks of a run share. */
export interface TaskTools {
	/** Whether to carry on with the other items when one fails. */
	continues: boolean;
	/** Whether the operation changes something. */
	hasSideEffects: boolean;
	stop: StopSignal;
	openTokenUsage(): TokenUsage;
	getClient(timeout: number): Send;
}

/** Does the work of items that reach nobody's phone, until the run stops. Never rejects. */
export async function runTasks(items: readonly Item[], tools: TaskTools): Promise<void> {
	const { continues, stop } = tools;
	const open = items.filter((item) => item.kind === 'task').filter(isPlanned);
	await workConcurrently(open, CONCURRENCY, async (item) => {
		if (!stop.isStopped) await runTask(item, tools);
	});
	if (!continues || !stop.isServiceHanging) return;
	for (const item of open.filter(isPlanned)) {
		item.status = { state: 'failed', error: buildHangingError(), accepted: 'no' };
	}
}

const isPlanned = ({ status }: TaskItem) => status.state === 'planned';

async function runTask(item: TaskItem, tools: TaskTools): Promise<void> {
	const { continues, stop } = tools;
	let isBegun = false;
	const send: Send = async (request) => {
		if (stop.isStopped) throw new StoppedBeforeRequest();
		isBegun = true;
		const client = tools.getClient(item.timeout);
		const fate = await sendUntilTaken(
			async () => await toSentFate(client(request)),
			async (pauseMs) => {
				await stop.waitUnlessStopped(sleep(pauseMs));
				return !stop.isStopped;
			},
		);
		const isUnclear = fate.state === 'errored' && fate.accepted === 'unknown';
		stop.noteEnd(tools.hasSideEffects && isUnclear);
		if (fate.state === 'errored') throw fate.error;
		return fate.answer;
	};
	try {
		item.status = { state: 'done', outputs: await item.task.run(send, tools.openTokenUsage) };
	} catch (error) {
		// Nothing has begun, so the item stays planned.
		if (!isBegun && error instanceof StoppedBeforeRequest) return;
		item.status = { state: 'failed', error, accepted: findAcceptance(error) };
		if (!continues) stop.stop();
	}
}

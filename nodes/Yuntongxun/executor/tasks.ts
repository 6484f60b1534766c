import type { Send } from '../client/request';
import type { RecordKey } from '../operation/defineOperation';
import { findAcceptance } from './model';
import type { Status, TaskItem } from './model';
import { sendUntilTaken, toSent } from './send';
import type { StopSignal } from './stopSignal';
import { workUntilStopped } from './workUntilStopped';

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
	recordKey: RecordKey;
	getClient(timeout: number): Send;
}

/** Does the work of items that reach nobody's phone, until the run stops. Never rejects. */
export async function runTasks(items: readonly TaskItem[], tools: TaskTools): Promise<void> {
	await workUntilStopped(items, tools, async (item) => await runTask(item, tools));
}

async function runTask({ task, timeout }: TaskItem, tools: TaskTools): Promise<Status> {
	const { stop, hasSideEffects, getClient } = tools;
	let isBegun = false;
	const send: Send = async (request) => {
		if (stop.isStopped) throw new StoppedBeforeRequest();
		isBegun = true;
		const sent = await sendUntilTaken(
			async () => await toSent(getClient(timeout)(request)),
			async (pauseMs) => await stop.pause(pauseMs),
		);
		stop.noteEnd(!sent.ok && hasSideEffects && findAcceptance(sent.error) === 'unknown');
		if (!sent.ok) throw sent.error;
		return sent.answer;
	};
	try {
		const jsons = await task.run(send, tools.recordKey);
		return { state: 'done', jsons, reached: hasSideEffects ? 1 : 0 };
	} catch (error) {
		// Nothing has begun, so the item stays planned.
		if (!isBegun && error instanceof StoppedBeforeRequest) return { state: 'planned' };
		return { state: 'failed', error, accepted: findAcceptance(error) };
	}
}

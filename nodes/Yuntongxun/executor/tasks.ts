import type { Send } from '../client/request';
import type { RecordKey } from '../operation/defineOperation';
import { buildUnsentError } from './errors';
import { findAcceptance } from './model';
import type { Status, TaskItem } from './model';
import { sendUntilTaken, workUntilStopped } from './pace';
import type { RunTools } from './pace';

export interface TaskTools extends RunTools {
	/** Whether the operation changes something. */
	hasSideEffects: boolean;
	recordKey: RecordKey;
}

/** Does the work of items that reach nobody's phone, until the run stops. Never rejects. */
export async function runTasks(items: readonly TaskItem[], tools: TaskTools): Promise<void> {
	await workUntilStopped(items, tools, async (item) => await runTask(item, tools));
}

async function runTask({ task, timeout }: TaskItem, tools: TaskTools): Promise<Status> {
	const { stop, hasSideEffects, getClient } = tools;
	let isBegun = false;
	const send: Send = async (request) => {
		if (stop.isStopped) throw buildUnsentError();
		isBegun = true;
		return await sendUntilTaken(
			async () => await getClient(timeout)(request),
			stop,
			async (pauseMs) => await stop.pause(pauseMs),
		);
	};
	try {
		const jsons = await task.run(send, tools.recordKey);
		return { state: 'done', jsons, reached: hasSideEffects ? 1 : 0 };
	} catch (error) {
		// Nothing has begun, so the item stays planned.
		if (!isBegun && stop.isStopped) return { state: 'planned' };
		return { state: 'failed', error, accepted: findAcceptance(error) };
	}
}

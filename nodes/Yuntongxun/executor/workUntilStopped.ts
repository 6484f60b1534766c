import { sleep } from 'n8n-workflow';

import { workConcurrently } from '../util/concurrency';
import { buildHangingError } from './errors';
import { isPlanned } from './model';
import type { MessageItem, Status, TaskItem } from './model';
import type { StopSignal } from './stopSignal';

/** How many items are worked on at once. */
const CONCURRENCY = 10;

/** How many items to finish before yielding to the event loop. */
const YIELD_AFTER_ITEMS = 10;

/**
 * Works on the items of a run, until the run stops, and writes what became of them. Never rejects.
 *
 * @param continues whether to carry on with the other items when one fails
 * @param work never rejects
 */
export async function workUntilStopped<Each extends TaskItem | MessageItem>(
	items: readonly Each[],
	{ continues, stop }: { continues: boolean; stop: StopSignal },
	work: (item: Each) => Promise<Status>,
): Promise<void> {
	let done = 0;
	await workConcurrently(items, CONCURRENCY, async (item) => {
		if (stop.isStopped) return;
		item.status = await work(item);
		if (!continues && item.status.state === 'failed') stop.stop();
		done += 1;
		// Some await no I/O, so yield. After the work, to keep the start order.
		if (done % YIELD_AFTER_ITEMS === 0) await sleep(0);
	});
	if (!continues || !stop.isServiceHanging) return;
	for (const item of items.filter(isPlanned)) {
		item.status = { state: 'failed', error: buildHangingError(), accepted: 'no' };
	}
}

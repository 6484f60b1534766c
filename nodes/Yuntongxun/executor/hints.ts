import { isMessageItem } from './item';
import type { Item, MessageItem } from './item';
import { packNumbers } from './planRequests';

/** Fewest items with the same message for which combining is worth a hint. */
const WORTH_COMBINING = 20;

/** What hints need to know of a run. */
export interface RunFacts {
	/** Whether the node continues when an item fails. */
	continues: boolean;
	/** Whether items with equal messages share requests. */
	combine: boolean;
	/** How many requests the service refused because of load. */
	refusals: number;
}

/** What the user should know though nothing is wrong. */
export function hintsOf(
	items: readonly Item[],
	{ continues, combine, refusals }: RunFacts,
): string[] {
	const messages = items.filter(isMessageItem).filter(({ ready }) => !ready.isDryRun);
	const leftOut = messages.reduce((sum, item) => sum + leftOutOf(item), 0);
	return [
		...items.flatMap(({ ready }) => ready?.task.hints ?? []),
		...(messages.length > 1 && !continues
			? [
					'Several items reach people. Set On Error to Continue in the settings of this node, so that one refused number does not keep the rest from being reached.',
				]
			: []),
		...(combine ? [] : savings(messages)),
		...(leftOut > 0
			? [
					`${leftOut} ${leftOut === 1 ? 'number was' : 'numbers were'} left out of an SMS because of Idempotency Key, Max per Recipient or Max in Total: leftOut in the output says which.`,
				]
			: []),
		...(refusals > 0
			? [
					`The service refused ${refusals} ${refusals === 1 ? 'request' : 'requests'} because too much came at once, so the node slowed down. Set Max Parallel Requests or Max Requests per Second to what the account can take.`,
				]
			: []),
	];
}

/** How many numbers are left out of an SMS that others got. */
function leftOutOf({ ready, results }: MessageItem): number {
	if (!ready.task.together) return 0;
	const kinds = [...results.values()].map(({ kind }) => kind);
	return kinds.includes('sent') ? kinds.filter((kind) => kind === 'leftOut').length : 0;
}

/** How many requests combining would save, for each message. */
function savings(items: readonly MessageItem[]): string[] {
	const batches = new Map<string, MessageItem[]>();
	for (const item of items) {
		const { batchKey } = item.ready;
		if (batchKey === undefined) continue;
		const alike = batches.get(batchKey) ?? [];
		alike.push(item);
		batches.set(batchKey, alike);
	}
	return [...batches.values()].flatMap((alike) => {
		if (alike.length < WORTH_COMBINING) return [];
		const max = alike[0].ready.task.together?.maxNumbers ?? 1;
		const lists = alike.map(({ ready }) => ready.task.recipients.map(({ to }) => to));
		const alone = lists.reduce((sum, list) => sum + packNumbers([list], max).length, 0);
		return [
			`${alike.length} items send the same SMS. With the option Combine Identical Messages they would take ${alone - packNumbers(lists, max).length} requests fewer.`,
		];
	});
}

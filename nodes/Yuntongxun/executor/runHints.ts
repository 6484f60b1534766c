import { idempotencyKey, maxPerRecipient, maxTotal } from '../operation/options';
import { MAY_COUNT_AS_USED } from './errors';
import { mayHaveReached } from './model';
import type { Item, MessageItem } from './model';

/** With this many items of the same text, suggest a list of numbers. */
const MANY_ITEMS = 20;

/**
 * Advice for the user when nothing is wrong, each hint once.
 *
 * @param continues whether the node continues when an item fails
 * @param overloads how often the service rejected a request because of load
 */
export function getRunHints(
	items: readonly Item[],
	continues: boolean,
	overloads: number,
): string[] {
	const messages = items.filter((item) => item.kind === 'message');
	const hints = [
		...items.flatMap(getOwnHints),
		...adviseContinue(messages, continues),
		...adviseList(messages),
		...tellLeftOut(messages),
		...tellOverloads(overloads),
	];
	return [...new Set(hints)];
}

function getOwnHints(item: Item): string[] {
	switch (item.kind) {
		case 'refused':
			return [];
		case 'direct':
			return item.task.hints ?? [];
		case 'dryRun':
		case 'message':
			return [...(item.task.hints ?? []), ...(item.route?.hints ?? [])];
	}
}

function adviseContinue(messages: readonly MessageItem[], continues: boolean): string[] {
	const requestCount = messages.reduce((count, { requests }) => count + requests.length, 0);
	if (continues || requestCount <= 1) return [];
	return [
		'This run sends several requests to people. Set On Error to Continue in the settings of this node, so that one refused number does not keep the rest from being reached.',
	];
}

/** Items with the same text could be one item with a list of numbers. */
function adviseList(messages: readonly MessageItem[]): string[] {
	const counts = new Map<string, number>();
	let most = 0;
	for (const { task } of messages) {
		if (task.textId === undefined) continue;
		counts.set(task.textId, (counts.get(task.textId) ?? 0) + 1);
		most = task.maxNumbersPerRequest;
	}
	const isRepeated = [...counts.values()].some((count) => count >= MANY_ITEMS);
	if (!isRepeated) return [];

	return [
		`Many items send the same template with the same variables, one request each. To send up to ${most} in one request, put an Aggregate node in front and use the list of numbers in To.`,
	];
}

function tellLeftOut(messages: readonly MessageItem[]): string[] {
	const count = messages
		.filter(mayHaveReached)
		.flatMap(({ recipients }) => recipients)
		.filter(({ status }) => status.state === 'skipped').length;
	if (count === 0) return [];
	const [key, limit, total] = [idempotencyKey, maxPerRecipient, maxTotal].map(
		({ property }) => property.displayName,
	);
	const requests = messages.flatMap((each) => each.requests);
	const advice = requests.some((each) => each.mayLeaveRecords) ? ` ${MAY_COUNT_AS_USED}` : '';
	const were = count === 1 ? 'number was' : 'numbers were';
	return [
		`${count} ${were} left out of an SMS because of ${key}, ${limit} or ${total}: leftOut in the output says which.${advice}`,
	];
}

function tellOverloads(count: number): string[] {
	if (count === 0) return [];
	return [
		`The service refused requests ${count === 1 ? 'once' : `${count} times`} because too much came at once, so the node slowed down. Set Max Requests in Parallel or Max Requests per Second to what the account can take.`,
	];
}

import type { IDataObject } from 'n8n-workflow';

import { isMessageItem } from './item';
import type { Item, MessageItem } from './item';
import type { ItemResult } from './itemResult';

/** From so many items with one text on a list of numbers is worth a hint. */
const MANY_ITEMS = 20;

/**
 * What the user should know though nothing is wrong, each hint once.
 *
 * @param continues whether the node continues when an item fails
 * @param refusals how many requests the service refused because of load
 */
export function hintsOf(
	items: readonly Item[],
	results: readonly ItemResult[],
	continues: boolean,
	refusals: number,
): string[] {
	const messages = items.filter(isMessageItem).filter(({ ready }) => !ready.isDryRun);
	const leftOut = results
		.filter(({ accepted, unclear }) => accepted.length + unclear.length > 0)
		.flatMap(({ outputs }) => outputs)
		.map((json): IDataObject => ({ ...json, ...(json.error as IDataObject) }))
		.flatMap((json) => (Array.isArray(json.leftOut) ? json.leftOut : [])).length;
	const hints = [
		...items.flatMap(({ ready }) => [...(ready?.task.hints ?? []), ...(ready?.route?.hints ?? [])]),
		messages.length > 1 &&
			!continues &&
			'Several items reach people. Set On Error to Continue in the settings of this node, so that one refused number does not keep the rest from being reached.',
		hasManyOfOneText(messages) &&
			'Many items send the same template with the same variables, one request each. To send up to 200 in one request, put an Aggregate node in front and use the list of numbers in To.',
		leftOut > 0 &&
			`${leftOut} ${leftOut === 1 ? 'number was' : 'numbers were'} left out of an SMS because of Idempotency Key, Max per Recipient or Max in Total: leftOut in the output says which.`,
		refusals > 0 &&
			`The service refused ${refusals} ${refusals === 1 ? 'request' : 'requests'} because too much came at once, so the node slowed down. Set Max Requests in Parallel or Max Requests per Second to what the account can take.`,
	];
	return [...new Set(hints.filter((hint) => hint !== false))];
}

/** Whether items that send the same text could be one item with a list of numbers. */
function hasManyOfOneText(messages: readonly MessageItem[]): boolean {
	const counts = new Map<string, number>();
	for (const { ready } of messages) {
		const { textId } = ready.task;
		if (textId !== undefined) counts.set(textId, (counts.get(textId) ?? 0) + 1);
	}
	return Math.max(0, ...counts.values()) >= MANY_ITEMS;
}

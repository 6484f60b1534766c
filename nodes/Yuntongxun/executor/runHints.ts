import { joinSentences, translate } from '../language/translate';
import { limits } from '../operation/limits';
import { idempotencyKey } from '../operation/options';
import { countTimes, MAY_COUNT_AS_USED } from './errors';
import { mayHaveReached } from './model';
import type { Item, MessageItem, MessageRequest } from './model';

/** Advice for the user when nothing is wrong, each hint once. */
export function getRunHints(items: readonly Item[]): string[] {
	const messages = items.filter((item) => item.kind === 'message');
	const hints = [
		...items.flatMap(getOwnHints),
		...tellLeftOut(messages),
		...tellOverloads(messages.flatMap(({ requests }) => requests)),
	];
	return [...new Set(hints)].map((hint) => translate(hint));
}

function getOwnHints(item: Item): string[] {
	switch (item.kind) {
		case 'refused':
			return [];
		case 'task':
			return item.task.hints ?? [];
		case 'dryRun':
		case 'message':
			return [...(item.task.hints ?? []), ...(item.route?.hints ?? [])];
	}
}

function tellLeftOut(messages: readonly MessageItem[]): string[] {
	const count = messages
		.filter(mayHaveReached)
		.flatMap(({ requests }) => requests)
		.flatMap(({ recipients }) => recipients)
		.filter(({ skip }) => skip !== undefined).length;
	if (count === 0) return [];
	const [key, limit] = [idempotencyKey, limits].map(({ property }) => property.displayName);
	const requests = messages.flatMap((each) => each.requests);
	const advice = requests.some((each) => each.mayLeaveRecords) ? MAY_COUNT_AS_USED : '';
	const leftOut =
		count === 1
			? '1 number was left out of an SMS because of {key} or {limit}: leftOut in the output says which.'
			: '{count} numbers were left out of an SMS because of {key} or {limit}: leftOut in the output says which.';
	return [joinSentences(translate(leftOut, { count, key, limit }), advice)];
}

function tellOverloads(requests: readonly MessageRequest[]): string[] {
	const count = requests
		.map(({ fate, repeats }) => repeats + (fate.state === 'errored' && fate.isOverloaded ? 1 : 0))
		.reduce((sum, each) => sum + each, 0);
	if (count === 0) return [];
	const hint =
		'The service refused requests {often} because too much came at once, so the node slowed down. Set Max Requests in Parallel or Max Requests per Second to what the account can take.';
	return [translate(hint, { often: countTimes(count) })];
}

import { joinSentences, translate } from '../language/translate';
import { limits } from '../operation/limits';
import { idempotencyKey } from '../operation/options';
import { MAY_COUNT_AS_USED } from './errors';
import { isOverload, mayHaveReached } from './model';
import type { Item, MessageItem, MessageRequest } from './model';

/** Advice for the user when nothing is wrong, each hint once. */
export function getRunHints(items: readonly Item[]): string[] {
	const messages = items.filter((item) => item.kind === 'message');
	const hints = [
		...items.flatMap(getOwnHints),
		...tellOddTexts(messages),
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
		case 'message':
			return [...(item.task.hints ?? []), ...(item.route?.hints ?? [])];
	}
}

/** How many items a hint names. */
const MAX_LISTED_ITEMS = 10;

type OddityTest = (text: string, isSpoken: boolean) => boolean;

/**
 * What looks in a text as if an expression had gone wrong. It goes out all the same: an alarm must. A word
 * of its own between spaces is none: error messages say "of undefined".
 */
const ODDITIES: ReadonlyArray<readonly [isOdd: OddityTest, hint: string]> = [
	[
		(text) => text.includes(String({})),
		'\'{label}\' contains "[object Object]": an expression put a whole object into the text. Name one of its fields, such as {{ $json.customer.name }}.',
	],
	[
		(text) => /\Sundefined|undefined\S|^\s*undefined\s*$/.test(text),
		'\'{label}\' contains "undefined": an expression found no such field. Check its name, and whether every item has it.',
	],
	[
		(text) => text.includes('\ufffd'),
		"'{label}' contains garbled characters (\ufffd): something was read in the wrong encoding, or cut inside a character. If it came from a file, save that as UTF-8.",
	],
	[
		(text, isSpoken) => isSpoken && /\{\d+\}/.test(text),
		"'{label}' contains a placeholder such as {1}, which is read out as is: only SMS templates are filled in.",
	],
];

/** Tells each oddity of a field once, with the items that have it. */
function tellOddTexts(messages: readonly MessageItem[]): string[] {
	const found = new Map<string, number[]>();
	for (const { index, task } of messages) {
		const { label = '', rows = [], isSpoken = false } = task.texts ?? {};
		for (const [isOdd, words] of ODDITIES) {
			if (!rows.some((row) => isOdd(row, isSpoken))) continue;
			const hint = translate(words, { label });
			found.set(hint, [...(found.get(hint) ?? []), index]);
		}
	}
	return [...found].map(([hint, indexes]) => {
		const more = indexes.length > MAX_LISTED_ITEMS ? ', …' : '';
		const named = indexes.slice(0, MAX_LISTED_ITEMS).join(', ');
		return translate('{hint} [item {items}]', { hint, items: named + more });
	});
}

function tellLeftOut(messages: readonly MessageItem[]): string[] {
	const isAnyLeftOut = messages
		.filter(mayHaveReached)
		.flatMap(({ requests }) => requests)
		.flatMap(({ recipients }) => recipients)
		.some(({ skip }) => skip !== undefined);
	if (!isAnyLeftOut) return [];
	const [key, limit] = [idempotencyKey, limits].map(({ property }) => property.displayName);
	const requests = messages.flatMap((each) => each.requests);
	const advice = requests.some((each) => each.mayLeaveRecords) ? MAY_COUNT_AS_USED : '';
	const leftOut =
		'Numbers were left out of an SMS because of {key} or {limit}: leftOut in the output says which.';
	return [joinSentences(translate(leftOut, { key, limit }), advice)];
}

const SLOWED_DOWN =
	'The service refused requests because too many came at once, so the node slowed down. Set Max Requests in Parallel or Max Requests per Second to what the account allows.';

function tellOverloads(requests: readonly MessageRequest[]): string[] {
	const isAnyRefused = requests.some(({ fate, isRepeated }) => isRepeated || isOverload(fate));
	return isAnyRefused ? [SLOWED_DOWN] : [];
}

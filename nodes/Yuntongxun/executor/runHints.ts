import { translate } from '../language/translate';
import type { Item } from './model';

/**
 * Advice for the user when nothing is wrong, each hint once.
 *
 * @param isByHand whether somebody looks at the run, who can mend a variable that came to nothing
 */
export function getRunHints(items: readonly Item[], isByHand: boolean): string[] {
	const hints = [...items.flatMap(getOwnHints), ...(isByHand ? tellEmptyVariables(items) : [])];
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

/** Tells each variable that came to nothing, with the items that lack it. */
function tellEmptyVariables(items: readonly Item[]): string[] {
	const lacking = new Map<number, number[]>();
	for (const { index, task } of items.filter((item) => item.kind === 'message')) {
		for (const number of task.emptyVariables ?? []) {
			lacking.set(number, [...(lacking.get(number) ?? []), index]);
		}
	}
	return [...lacking].map(([number, indexes]) => {
		const more = indexes.length > MAX_LISTED_ITEMS ? ', …' : '';
		const words = 'The variable {place} came to nothing and is sent empty';
		const hint = translate(words, { place: `{${number}}` });
		const named = indexes.slice(0, MAX_LISTED_ITEMS).join(', ');
		return translate('{hint} [item {items}]', { hint, items: named + more });
	});
}

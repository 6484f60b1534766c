import type { CheckedItem } from '../execution/items';
import type { ReadyTask } from './validateItem';

/**
 * Groups items that share requests, each group in the place of its first item.
 *
 * @param combine whether items of the same kind share requests; if not, each item is a group
 */
export function groupsOf(
	checked: Array<CheckedItem<ReadyTask>>,
	combine: boolean,
): Array<Array<CheckedItem<ReadyTask>>> {
	const groups = new Map<unknown, Array<CheckedItem<ReadyTask>>>();
	for (const each of checked) {
		const name = combine && each.task.shared ? each.task.kind : each;
		const group = groups.get(name) ?? [];
		group.push(each);
		groups.set(name, group);
	}
	return [...groups.values()];
}

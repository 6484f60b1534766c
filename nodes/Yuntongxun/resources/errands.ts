import type { Checked } from '../execution/items';
import { serviceClient } from '../service/client';
import type { Send } from '../service/client';
import type { ServiceAccount } from '../service/account';
import type { HttpHelper } from '../service/transport';
import type { Form } from './form';
import type { Operation, Task } from './operation';
import { prepareItem } from './prepare';
import { timeout, wireFormat } from './sharedFields';

/** What is to be done for one item, and how it is sent. */
export interface Errand {
	task: Task;
	send: Send;
	/** Items of the same kind can share requests. */
	kind: string;
}

/** Checks one item's form, before anything goes out. @throws FormRefusal */
export function errandOf(
	operation: Operation,
	form: Form,
	account: ServiceAccount,
	http: HttpHelper,
): Errand {
	const task = prepareItem(operation, form);
	const [format, limit] = [wireFormat.read(form), timeout.read(form)];
	return {
		task,
		send: serviceClient(account, http, format, limit),
		kind: JSON.stringify([format, limit, task.shared?.key]),
	};
}

/**
 * Items in groups that are sent together, each group where its first item stands.
 *
 * @param combine whether items that can share requests do; without it each goes alone
 */
export function groupsOf(
	checked: Array<Checked<Errand>>,
	combine: boolean,
): Array<Array<Checked<Errand>>> {
	const groups = new Map<unknown, Array<Checked<Errand>>>();
	for (const each of checked) {
		const { task, kind } = each.errand;
		const name = combine && task.shared ? kind : each;
		const group = groups.get(name) ?? [];
		group.push(each);
		groups.set(name, group);
	}
	return [...groups.values()];
}

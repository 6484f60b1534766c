import type { IDataObject, Logger } from 'n8n-workflow';

import { joinSentences, translate } from '../language/translate';
import { idempotencyKey } from '../operation/options';
import { toErrorJson } from './errors';
import { hasFailed, isPlanned } from './model';
import type { Item } from './model';
import type { ItemOutput } from './outputs';

/** How many entries an error has at most: n8n stores it with the execution. */
const MAX_ENTRIES = 500;

/** What Continue would have given for an item, without secrets and tokens. */
export interface ReportEntry extends IDataObject {
	itemIndex: number;
	json: IDataObject;
}

/**
 * Tells what became of the items of a stopped run that were sent or failed, failures first.
 *
 * @param outputs of the items, in their order
 */
export function toReport(
	items: readonly Item[],
	outputs: readonly ItemOutput[],
): { items: ReportEntry[] } {
	const failed: ReportEntry[] = [];
	const sent: ReportEntry[] = [];
	items.forEach((item, position) => {
		const { index: itemIndex } = item;
		const output = outputs[position];
		const secrets = item.kind === 'refused' ? [] : (item.task.secretMembers ?? []);
		if (output.kind === 'failure') {
			const { message, ...json } = toErrorJson(output.failure);
			failed.push({ itemIndex, json: { error: { message, ...omitMembers(json, secrets) } } });
		} else if (output.kind === 'jsons') {
			sent.push(...output.jsons.map((json) => ({ itemIndex, json: omitMembers(json, secrets) })));
		}
	});
	return { items: [...failed, ...sent].slice(0, MAX_ENTRIES) };
}

/** n8n hands the whole error to the error workflow, so it has nothing that lets somebody in. */
function omitMembers(json: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)));
}

/** How many numbers, or items that reach nobody, were accepted; and which item is the first to be sent still. */
interface Tally {
	accepted: number;
	perhaps: number;
	/** Index of the first item that was not sent; undefined if all were. */
	firstUnsent?: number;
}

function countItems(items: readonly Item[]): Tally {
	let accepted = 0;
	let perhaps = 0;
	for (const item of items) {
		if (item.kind === 'refused' || item.status.state === 'planned') continue;
		if (item.status.state === 'done') {
			accepted += item.status.reached;
			continue;
		}
		const count = item.kind === 'message' ? item.recipients.length : 1;
		if (item.status.accepted === 'yes') accepted += count;
		if (item.status.accepted === 'unknown') perhaps += count;
	}
	return { accepted, perhaps, firstUnsent: items.find(isPlanned)?.index };
}

/**
 * Says how much of the other items was accepted or may have been, and not to run all items again; where
 * nothing went out because a form is wrong, how to skip such rows.
 *
 * @param items of the run
 * @param thrown the item whose failure is told
 * @param hasSideEffects whether the operation changes something
 * @returns empty if there is nothing to warn of
 */
export function warnOfRepeating(
	items: readonly Item[],
	thrown: Item,
	hasSideEffects: boolean,
): string {
	if (!hasSideEffects) return '';
	const others = items.filter((item) => item !== thrown);
	const { accepted, perhaps, firstUnsent } = countItems(others);
	if (accepted + perhaps === 0) {
		return thrown.kind === 'refused' && others.length > 0 ? translate(NOTHING_SENT) : '';
	}
	const { displayName: key } = idempotencyKey.property;
	return joinSentences(
		accepted > 0 ? translate('Accepted: {count}.', { count: accepted }) : '',
		perhaps > 0 ? translate('Perhaps accepted: {count}.', { count: perhaps }) : '',
		items.some(({ kind }) => kind === 'message')
			? translate('Do not run all items again ({key} guards against that).', { key })
			: translate('Do not run all items again.'),
		firstUnsent === undefined
			? ''
			: translate('The first item that was not sent is {index}.', { index: firstUnsent }),
	);
}

/** What to do if one wrong form kept all items of a run from being sent. */
const NOTHING_SENT = 'Nothing was sent. To skip rows like this, set On Error to Continue.';

/** The item whose failure a stopped run throws: the first that failed. */
export function findThrown(items: readonly Item[]): Item | undefined {
	return items.find(hasFailed);
}

/** n8n drops the output when a user stops the execution, so log what was accepted. */
export function logAccepted(logger: Logger, items: readonly Item[]): void {
	const { accepted, perhaps, firstUnsent } = countItems(items);
	if (accepted + perhaps === 0) return;
	const unsent =
		firstUnsent === undefined ? '' : ` The first item that was not sent is ${firstUnsent}.`;
	logger.info(
		`Execution stopped by a user or its time limit. Accepted: ${accepted}. Perhaps accepted: ${perhaps}.${unsent}`,
	);
}

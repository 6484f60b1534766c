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

/** How many numbers, or items that reach nobody, were accepted or may have been. */
function countItems(items: readonly Item[]): { accepted: number; perhaps: number } {
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
	return { accepted, perhaps };
}

/** What a stopped run has not sent, by index: the first item sent in part, and the first not sent at all. */
function findUnsent(items: readonly Item[]): { inPart?: number; whole?: number } {
	const begun = new Set(items.filter(isBegun).map(({ index }) => index));
	const planned = items.filter(isPlanned).map(({ index }) => index);
	return {
		inPart: planned.find((index) => begun.has(index)),
		whole: planned.find((index) => !begun.has(index)),
	};
}

/** Whether somebody was or may have been reached. */
function isBegun(item: Item): boolean {
	const { accepted, perhaps } = countItems([item]);
	return accepted + perhaps > 0;
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
	const { accepted, perhaps } = countItems(others);
	if (accepted + perhaps === 0) {
		return thrown.kind === 'refused' && others.length > 0 ? translate(NOTHING_SENT) : '';
	}
	const { displayName: key } = idempotencyKey.property;
	const { inPart, whole } = findUnsent(items);
	return joinSentences(
		accepted > 0 ? translate('Accepted: {count}.', { count: accepted }) : '',
		perhaps > 0 ? translate('Perhaps accepted: {count}.', { count: perhaps }) : '',
		items.some(({ kind }) => kind === 'message')
			? translate('Do not run all items again ({key} guards against that).', { key })
			: translate('Do not run all items again.'),
		inPart === undefined ? '' : translate('Item {index} was sent in part.', { index: inPart }),
		whole === undefined
			? ''
			: translate('The first item that was not sent is {index}.', { index: whole }),
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
	const { accepted, perhaps } = countItems(items);
	if (accepted + perhaps === 0) return;
	const { inPart, whole } = findUnsent(items);
	const sentences = [
		`Execution stopped by a user or its time limit. Accepted: ${accepted}. Perhaps accepted: ${perhaps}.`,
		inPart === undefined ? '' : `Item ${inPart} was sent in part.`,
		whole === undefined ? '' : `The first item that was not sent is ${whole}.`,
	];
	logger.info(joinSentences(...sentences));
}

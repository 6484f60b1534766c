import type { IDataObject, Logger } from 'n8n-workflow';

import { isWireObject } from '../client/codec';
import { ServiceFailure } from '../client/serviceFailure';
import { joinSentences, translate } from '../language/translate';
import { idempotencyKey } from '../operation/options';
import { adviseOnKey, findFacts, toErrorJson } from './errors';
import type { ItemFailure } from './errors';
import { hasFailed, isPlanned, joinNumbers } from './model';
import type { FailedStatus, Item } from './model';

/**
 * Renders an item, once, at the end of the run: none if the run stopped before it was done.
 *
 * @param hasSideEffects whether the operation changes something, so that it matters what was accepted
 */
export function toJsons(item: Item, hasSideEffects: boolean): IDataObject[] {
	const { status } = item;
	switch (status.state) {
		case 'planned':
			return [];
		case 'done':
			return status.jsons;
		case 'failed':
			return [{ error: toErrorJson(toFailure(item, status, hasSideEffects)) }];
	}
}

/** Tells why an item failed, in words. @param hasSideEffects as above */
export function toFailure(item: Item, status: FailedStatus, hasSideEffects: boolean): ItemFailure {
	const { error, accepted, members } = status;
	const facts = findFacts(error);
	return {
		index: item.index,
		facts: { ...facts, remedy: joinSentences(facts.remedy, adviseOnKey(item, status)) },
		isFromService: error instanceof ServiceFailure,
		accepted: hasSideEffects ? accepted : undefined,
		to: item.kind === 'message' ? joinNumbers(item.recipients) : undefined,
		more: members,
	};
}

/** Advice for the user when nothing is wrong, each hint once. */
export function getRunHints(items: readonly Item[]): string[] {
	const hints = items.flatMap((item) => {
		if (item.kind !== 'message') return [];
		return [...(item.message.hints ?? []), ...(item.route?.hints ?? [])];
	});
	return [...new Set(hints)].map((hint) => translate(hint));
}

/** How many entries an error has at most: n8n stores it with the execution. */
const MAX_ENTRIES = 500;

/**
 * Tells what became of the items of a stopped run that were sent or failed, failures first: what Continue
 * would have given, without secrets and tokens.
 *
 * @param outputs of the items, in their order
 */
export function toReport(
	items: readonly Item[],
	outputs: ReadonlyArray<readonly IDataObject[]>,
): { items: IDataObject[] } {
	const failed: IDataObject[] = [];
	const sent: IDataObject[] = [];
	items.forEach((item, position) => {
		const secrets = getSecretMembers(item);
		for (const json of outputs[position]) {
			const entry = { itemIndex: item.index, json: omitMembers(json, secrets) };
			(hasFailed(item) ? failed : sent).push(entry);
		}
	});
	return { items: [...failed, ...sent].slice(0, MAX_ENTRIES) };
}

function getSecretMembers(item: Item): readonly string[] {
	if (item.kind === 'refused') return [];
	const work = item.kind === 'task' ? item.task : item.message;
	return work.secretMembers ?? [];
}

/** n8n hands the whole error to the error workflow, so it has nothing that lets somebody in, at any depth. */
function omitMembers(json: IDataObject, names: readonly string[]): IDataObject {
	const left = Object.entries(json).filter(([name]) => !names.includes(name));
	return Object.fromEntries(
		left.map(([name, value]) => [name, isWireObject(value) ? omitMembers(value, names) : value]),
	);
}

/** How many numbers, or items that reach nobody, were accepted or may have been. */
function countItems(items: readonly Item[]): { accepted: number; perhaps: number } {
	let accepted = 0;
	let perhaps = 0;
	for (const item of items) {
		const { status } = item;
		if (status.state === 'done') accepted += status.reached;
		if (status.state !== 'failed') continue;
		const count = item.kind === 'message' ? item.recipients.length : 1;
		if (status.accepted === 'yes') accepted += count;
		if (status.accepted === 'unknown') perhaps += count;
	}
	return { accepted, perhaps };
}

/**
 * Says how much of the other items was accepted or may have been, and not to run all items again; or how to
 * skip a wrong form, if only that kept right ones from being sent.
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
		const isAnyRight = others.some(({ kind }) => kind !== 'refused');
		return thrown.kind === 'refused' && isAnyRight ? translate(NOTHING_SENT) : '';
	}
	const { displayName: key } = idempotencyKey.property;
	const index = items.find(isPlanned)?.index;
	return joinSentences(
		accepted > 0 ? translate('Accepted: {count}.', { count: accepted }) : '',
		perhaps > 0 ? translate('Perhaps accepted: {count}.', { count: perhaps }) : '',
		items.some(({ kind }) => kind === 'message')
			? translate('Do not run all items again ({key} guards against that).', { key })
			: translate('Do not run all items again.'),
		index === undefined
			? ''
			: translate('The first item that was not sent, or not in full, is {index}.', { index }),
	);
}

/** What to do if one wrong form kept all items of a run from being sent. */
const NOTHING_SENT = 'Nothing was sent. To skip rows like this, set On Error to Continue.';

/** n8n drops the output when a user stops the execution, so log what was accepted. */
export function logAccepted(logger: Logger, items: readonly Item[]): void {
	const { accepted, perhaps } = countItems(items);
	if (accepted + perhaps === 0) return;
	const index = items.find(isPlanned)?.index;
	const unsent =
		index === undefined ? '' : ` The first item that was not sent, or not in full, is ${index}.`;
	logger.info(
		`Execution stopped by a user or its time limit. Accepted: ${accepted}. Perhaps accepted: ${perhaps}.${unsent}`,
	);
}

import type { IDataObject, Logger } from 'n8n-workflow';

import { joinSentences, translate } from '../language/translate';
import { idempotencyKey } from '../operation/options';

/** How many rows an error has at most: n8n stores it with the execution. */
const MAX_ROWS = 500;

/** What became of a request, or of what shares an item and a state. */
export interface ReportRow extends IDataObject {
	itemIndex: number;
	/** Its numbers, comma-separated. An item whose form is wrong has none, nor has a task. */
	to?: string;
	state: RowState;
}

/** `unclear` may have been accepted; of `notSent` no request went out. */
export type RowState = 'accepted' | 'unclear' | 'refused' | 'leftOut' | 'notSent';

/** What became of every number of a run, for `error.context.data`, which n8n's editor shows. */
export interface RunReport {
	/** In input order; if there are too many, those that are not `notSent` come first. */
	recipients: ReportRow[];
	/** How many rows are missing, by state. */
	more?: Partial<Record<RowState, number>>;
}

/** Builds the table of a stopped run. */
export function toReport(rows: readonly ReportRow[]): RunReport {
	if (rows.length <= MAX_ROWS) return { recipients: [...rows] };

	const inOrder = [
		...rows.filter(({ state }) => state !== 'notSent'),
		...rows.filter(({ state }) => state === 'notSent'),
	];
	const more: RunReport['more'] = {};
	for (const { state } of inOrder.slice(MAX_ROWS)) more[state] = (more[state] ?? 0) + 1;
	return { recipients: inOrder.slice(0, MAX_ROWS), more };
}

/**
 * Says how many other items were accepted or may have been, and not to run all items again.
 *
 * @param rows of all items
 * @param index of the item that failed
 * @returns empty if nothing of another item was or may have been accepted
 */
export function warnOfRepeating(rows: readonly ReportRow[], index: number): string {
	const others = rows.filter(({ itemIndex }) => itemIndex !== index);
	const accepted = listItems(others, 'accepted');
	const unclear = listItems(others, 'unclear').filter((each) => !accepted.includes(each));
	if (accepted.length + unclear.length === 0) return '';

	const { displayName: key } = idempotencyKey.property;
	return joinSentences(
		accepted.length > 0 ? translate('Accepted: {count}.', { count: accepted.length }) : '',
		unclear.length > 0 ? translate('Perhaps accepted: {count}.', { count: unclear.length }) : '',
		others.some(({ to }) => to !== undefined)
			? translate('Do not run all items again ({key} guards against that).', { key })
			: translate('Do not run all items again.'),
	);
}

/** What to do if one wrong form kept all items of a run from being sent. */
const NOTHING_SENT = 'Nothing was sent. To skip rows like this, set On Error to Continue.';

/**
 * Says that nothing was sent where other items wait behind one that cannot be sent.
 *
 * @param rows of all items
 * @returns empty if there is one item only, or if anything went out
 */
export function adviseSkipping(rows: readonly ReportRow[]): string {
	const isOneOfMany = new Set(rows.map(({ itemIndex }) => itemIndex)).size > 1;
	return isOneOfMany && rows.every(({ state }) => state === 'notSent')
		? translate(NOTHING_SENT)
		: '';
}

function listItems(rows: readonly ReportRow[], wanted: RowState): number[] {
	const found = rows.filter(({ state }) => state === wanted);
	return [...new Set(found.map(({ itemIndex }) => itemIndex))];
}

/** n8n drops the output when a user stops the execution, so log what was accepted. */
export function logAccepted(logger: Logger, rows: readonly ReportRow[]): void {
	const accepted = rows.filter(({ state }) => state === 'accepted');
	const unclear = listItems(rows, 'unclear');
	if (accepted.length + unclear.length === 0) return;

	const ids = accepted.map(({ to, state, statusCode, ...withId }) => withId);
	logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(ids)}. Perhaps accepted, by item: ${JSON.stringify(unclear)}.`,
	);
}

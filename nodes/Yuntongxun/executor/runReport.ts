import type { IDataObject, Logger } from 'n8n-workflow';

import { pickIds } from '../operation/output';

/** The status of numbers at the end of a run, or of an item that was never begun. */
export interface ReportRow {
	state: 'accepted' | 'unclear' | 'refused' | 'notReached' | 'leftOut' | 'notAttempted';
	entry: IDataObject & { itemIndex: number };
}

/** The status of all numbers, for the context of the error. */
export interface RunReport {
	accepted: IDataObject[];
	unclear: IDataObject[];
	refused: IDataObject[];
	notReached: IDataObject[];
	leftOut: IDataObject[];
	/** Indexes of items. */
	notAttempted: number[];
}

/** Splits one table of item, number and state into lists. */
export function toReport(rows: readonly ReportRow[]): RunReport {
	const list = (state: ReportRow['state']) =>
		rows.filter((row) => row.state === state).map(({ entry }) => entry);
	return {
		accepted: list('accepted'),
		unclear: list('unclear'),
		refused: list('refused'),
		notReached: list('notReached'),
		leftOut: list('leftOut'),
		notAttempted: list('notAttempted').map(({ itemIndex }) => itemIndex),
	};
}

/** n8n drops the output when a user stops the execution, so log what was accepted. */
export function logAccepted(logger: Logger, { accepted, unclear }: RunReport): void {
	if (accepted.length + unclear.length === 0) return;
	const ids = accepted.map((entry) => ({ itemIndex: entry.itemIndex, ...pickIds(entry) }));
	const items = unclear.map(({ itemIndex }) => itemIndex);
	logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(ids)}. Perhaps accepted, by item: ${JSON.stringify(items)}.`,
	);
}

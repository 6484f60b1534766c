import type { IDataObject, Logger } from 'n8n-workflow';

import { pickIds } from '../operation/output';

/** Where numbers of an item stand at the end of a run, or an item of which nothing was begun. */
export interface ReportRow {
	state: 'accepted' | 'unclear' | 'refused' | 'notReached' | 'leftOut' | 'notAttempted';
	entry: IDataObject & { itemIndex: number };
}

/** What became of the items where there is no output: the context of the error. */
export interface RunReport {
	accepted: IDataObject[];
	unclear: IDataObject[];
	refused: IDataObject[];
	notReached: IDataObject[];
	leftOut: IDataObject[];
	/** Indexes of items. */
	notAttempted: number[];
}

/** Reads the one table of item, number and state in several ways. */
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

/** n8n drops the output of a node that the user stopped, so its log keeps what was accepted. */
export function logAccepted(logger: Logger, { accepted, unclear }: RunReport): void {
	if (accepted.length + unclear.length === 0) return;
	const ids = accepted.map((entry) => ({ itemIndex: entry.itemIndex, ...pickIds(entry) }));
	const items = unclear.map(({ itemIndex }) => itemIndex);
	logger.info(
		`Execution stopped by the user. Accepted by then: ${JSON.stringify(ids)}. Perhaps accepted, by item: ${JSON.stringify(items)}.`,
	);
}

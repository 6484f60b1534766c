import type { IDataObject } from 'n8n-workflow';

import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted, FailureFacts } from '../client/serviceFailure';
import type { Limit } from '../idempotency/quotas';
import type { Skip } from '../idempotency/reservations';
import { joinSentences, translate } from '../language/translate';
import { findAcknowledgement } from '../operation/output';
import { buildLimitError, findFacts, MAY_COUNT_AS_USED, warnOfUse } from './errors';
import type { ItemFailure } from './errors';
import { getAcceptance, getUnskipped, isOverLimit } from './model';
import type { Fate, Item, MessageItem, RefusedItem, TaskItem } from './model';
import { describeRehearsal } from './rehearse';
import type { ReportRow } from './runReport';

/** What an item turns into at the end of a run. */
export interface ItemResult {
	output: ItemOutput;
	/** What became of its numbers, for the table of a stopped run. */
	rows: ReportRow[];
}

export type ItemOutput =
	/** The run stopped before the item was done. */
	| { kind: 'none' }
	| { kind: 'jsons'; jsons: IDataObject[] }
	| { kind: 'failure'; failure: ItemFailure };

/**
 * Renders an item, once, at the end of the run.
 *
 * @param hasSideEffects whether the operation changes something, so that it matters what was accepted
 */
export function toResult(item: Item, hasSideEffects: boolean): ItemResult {
	switch (item.kind) {
		case 'refused':
			return toRefusedResult(item, hasSideEffects);
		case 'task':
			return toTaskResult(item, hasSideEffects);
		case 'message': {
			const results = getRequestResults(item);
			const output = toMessageOutput(item, results);
			const { rehearsal } = item;
			if (rehearsal === undefined) return { output, rows: toReportRows(item, results) };
			if (output.kind !== 'jsons') return { output, rows: [] };
			const jsons = output.jsons.map((json) => describeRehearsal(item, rehearsal, json));
			return { output: { kind: 'jsons', jsons }, rows: [] };
		}
	}
}

function toRefusedResult({ index, error }: RefusedItem, hasSideEffects: boolean): ItemResult {
	const accepted = hasSideEffects ? 'no' : undefined;
	const failure: ItemFailure = { index, facts: findFacts(error), kind: 'other', accepted };
	return {
		output: { kind: 'failure', failure },
		rows: [{ itemIndex: index, state: 'notSent' }],
	};
}

function toTaskResult(
	{ index: itemIndex, task, status }: TaskItem,
	hasSideEffects: boolean,
): ItemResult {
	switch (status.state) {
		case 'planned':
			return { output: { kind: 'none' }, rows: [{ itemIndex, state: 'notSent' }] };
		case 'done': {
			const { outputs: jsons } = status;
			const proof = hasSideEffects ? findAcknowledgement(jsons[0], task.id) : undefined;
			const rows: ReportRow[] = proof ? [{ itemIndex, ...proof, state: 'accepted' }] : [];
			return { output: { kind: 'jsons', jsons }, rows };
		}
		case 'failed': {
			const { error } = status;
			const accepted = hasSideEffects ? status.accepted : undefined;
			const facts = findFacts(error);
			const failure: ItemFailure = { index: itemIndex, facts, kind: getKind(error), accepted };
			const rows = accepted ? [toErroredRow(accepted, { itemIndex }, facts)] : [];
			return { output: { kind: 'failure', failure }, rows };
		}
	}
}

function getKind(error: unknown): ItemFailure['kind'] {
	return error instanceof ServiceFailure ? 'service' : 'other';
}

/** A request, without the numbers that were left out of it. */
interface RequestResult {
	numbers: string[];
	fate: Fate;
	accepted: Accepted;
	/** What an accepted request gives. */
	json: IDataObject;
}

function getRequestResults({ requests, task }: MessageItem): RequestResult[] {
	const results = requests.map((request): RequestResult => {
		const { fate } = request;
		const numbers = getUnskipped(request);
		const json = fate.state === 'accepted' ? task.outputFor(fate.answer) : {};
		return { numbers, fate, accepted: getAcceptance(request), json };
	});
	return results.filter(({ numbers }) => numbers.length > 0);
}

/** What went wrong with a request; undefined if nothing did. */
function findError({ fate }: RequestResult): { error: unknown } | undefined {
	return fate.state === 'errored' || fate.state === 'unsent' ? fate : undefined;
}

function toMessageOutput(item: MessageItem, results: readonly RequestResult[]): ItemOutput {
	const failed = results.map(findError).find((each) => each !== undefined);
	if (failed) return { kind: 'failure', failure: toMessageFailure(item, failed.error, results) };
	if (results.some(({ fate }) => fate.state === 'planned')) return { kind: 'none' };

	const first = results.at(0);
	if (first) {
		const to = results.flatMap(({ numbers }) => numbers).join(',');
		return { kind: 'jsons', jsons: [{ ...first.json, to, ...getListMembers(item, results) }] };
	}
	if (isOverLimit(item)) return { kind: 'failure', failure: toLimitFailure(item) };

	const { idempotencyKey } = item;
	return { kind: 'jsons', jsons: [{ duplicate: true, idempotencyKey, to: joinNumbers(item) }] };
}

/** Members for the requests of an SMS and for skipped numbers; a call has neither. */
function getListMembers(item: MessageItem, results: readonly RequestResult[]): IDataObject {
	if (item.task.maxNumbersPerRequest === 1) return {};
	const members: IDataObject = {};
	if (results.length > 1) members.messages = results.map((result) => toEntry(item, result));
	const leftOut = getLeftOut(item);
	if (leftOut.length > 0) members.leftOut = leftOut;
	return members;
}

/** Describes one of several requests of an SMS. Specification section 2.3. */
function toEntry({ task: { entryMembers = [] } }: MessageItem, result: RequestResult): IDataObject {
	const { numbers, json, accepted } = result;
	const { statusCode, statusMsg } = findFacts(findError(result)?.error);
	return {
		to: numbers.join(','),
		statusCode: json.statusCode ?? statusCode,
		...Object.fromEntries(entryMembers.map((name) => [name, json[name] ?? ''])),
		statusMsg,
		accepted,
	};
}

const getRecipients = ({ requests }: MessageItem) =>
	requests.flatMap(({ recipients }) => recipients);

/** A number that was left out; `by` says which limit it was. */
interface LeftOut extends IDataObject {
	to: string;
	reason: Skip['reason'];
	by?: Limit['by'];
}

function getLeftOut(item: MessageItem): LeftOut[] {
	return getRecipients(item).flatMap(({ number, skip }) =>
		skip ? [toLeftOut(number.text, skip)] : [],
	);
}

function toLeftOut(to: string, skip: Skip): LeftOut {
	const { reason } = skip;
	return reason === 'limit' ? { to, reason, by: skip.limit.by } : { to, reason };
}

function toLimitFailure(item: MessageItem): ItemFailure {
	const skips = getRecipients(item).flatMap(({ skip = [] }) => skip);
	const reached = skips.filter((skip) => skip.reason === 'limit');
	const last = reached.reduce((latest, each) => (each.end > latest.end ? each : latest));
	const facts = findFacts(buildLimitError(last));
	return {
		index: item.index,
		facts: withKeyRemedy(item, facts),
		kind: 'limit',
		accepted: 'no',
		to: joinNumbers(item),
		more: getListMembers(item, []),
	};
}

/** @param first what failed first */
function toMessageFailure(
	item: MessageItem,
	first: unknown,
	results: readonly RequestResult[],
): ItemFailure {
	const accepted = joinAcceptances(results.map((result) => result.accepted));
	const facts = findFacts(first);
	const isUnclear = results.some((result) => result.accepted === 'unknown');
	const remedy = joinSentences(
		results.length === 1 ? facts.remedy : getJointRemedy(accepted, facts.remedy, isUnclear),
		isUnclear ? warnOfUse(item.guards) : '',
	);
	const more = getListMembers(item, results);
	if (accepted !== 'no') Object.assign(more, item.task.errorFields);
	return {
		index: item.index,
		facts: withKeyRemedy(item, { ...facts, remedy }),
		kind: getKind(first),
		accepted,
		to: joinNumbers(item),
		more,
	};
}

/** Whether the item as a whole was accepted. */
function joinAcceptances(all: readonly Accepted[]): Accepted | 'partly' {
	const different = new Set(all);
	if (different.size === 1) return all[0];
	return different.has('yes') ? 'partly' : 'unknown';
}

/** What to do about the whole item: its first failure is about one request only. */
function getJointRemedy(accepted: Accepted | 'partly', first: string, isUnclear: boolean): string {
	if (accepted === 'no' || accepted === 'yes') return first;
	return joinSentences(
		accepted === 'partly' ? translate('Some numbers were accepted: keep them out of To.') : '',
		isUnclear ? translate(LOOK_UP) : '',
		translate('The list of messages says which these are.'),
	);
}

const LOOK_UP =
	'Nobody can tell whether some numbers were accepted: look those up in the Yuntongxun console first.';

/** Warns that keys or counts may stay used if n8n's database did not confirm that it freed them. */
function withKeyRemedy({ requests }: MessageItem, facts: FailureFacts): FailureFacts {
	const mayLeaveRecords = requests.some((request) => request.mayLeaveRecords);
	if (!mayLeaveRecords || facts.remedy.includes(MAY_COUNT_AS_USED)) return facts;
	return { ...facts, remedy: joinSentences(facts.remedy, MAY_COUNT_AS_USED) };
}

function joinNumbers(item: MessageItem): string {
	return getRecipients(item)
		.map(({ number }) => number.text)
		.join(',');
}

/** A row for each request, and one for what was left out for the same reason. */
function toReportRows(item: MessageItem, results: readonly RequestResult[]): ReportRow[] {
	const { index: itemIndex } = item;
	const leftOut = new Map<Skip['reason'], string[]>();
	for (const { to, reason } of getLeftOut(item)) {
		leftOut.set(reason, [...(leftOut.get(reason) ?? []), to]);
	}
	return [
		...results.map((result) => toRequestRow(item, result)),
		...[...leftOut].map(([reason, numbers]): ReportRow => {
			return { itemIndex, to: numbers.join(','), state: 'leftOut', reason };
		}),
	];
}

function toRequestRow({ index: itemIndex, task }: MessageItem, result: RequestResult): ReportRow {
	const { fate, numbers, json, accepted } = result;
	const entry = { itemIndex, to: numbers.join(',') };
	switch (fate.state) {
		case 'accepted':
			return { ...entry, ...findAcknowledgement(json, task.id), state: 'accepted' };
		case 'errored':
			return toErroredRow(accepted, entry, findFacts(fate.error));
		case 'planned':
		case 'unsent':
			return { ...entry, state: 'notSent' };
	}
}

/** The row of a request that failed. */
function toErroredRow(
	accepted: Accepted,
	entry: Pick<ReportRow, 'itemIndex' | 'to'>,
	{ statusCode }: FailureFacts,
): ReportRow {
	switch (accepted) {
		case 'yes':
			return { ...entry, state: 'accepted', statusCode };
		case 'no':
			return { ...entry, state: 'refused', statusCode };
		case 'unknown':
			return { ...entry, state: 'unclear' };
	}
}

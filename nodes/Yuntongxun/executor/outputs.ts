import type { IDataObject } from 'n8n-workflow';

import { redactUrl } from '../callbacks/callbackUrl';
import { ServiceFailure } from '../client/serviceFailure';
import type { Accepted, FailureFacts } from '../client/serviceFailure';
import type { Skip } from '../idempotency/reservations';
import type { Message } from '../operation/defineOperation';
import { findAcknowledgement } from '../operation/output';
import { buildLimitError, findFacts, MAY_COUNT_AS_USED } from './errors';
import type { ItemFailure } from './errors';
import { isOverLimit } from './model';
import type {
	DirectItem,
	DryRunItem,
	Item,
	MessageItem,
	RecipientStatus,
	RefusedItem,
} from './model';
import type { ReportRow } from './runReport';

/** What an item turns into at the end of a run. */
export interface ItemResult {
	output: ItemOutput;
	/** The status of each of its numbers, for the lists of a stopped run. */
	rows: ReportRow[];
}

export type ItemOutput =
	/** The run stopped before the item was done. */
	| { kind: 'none' }
	| { kind: 'jsons'; jsons: IDataObject[] }
	| { kind: 'failure'; failure: ItemFailure };

/** How a run shows its items. */
export interface View {
	/** Whether the operation changes something, so that it matters what was accepted. */
	hasSideEffects: boolean;
	/** Whether an AI agent sees the output: it gets the message, but no lists. */
	isForAgent: boolean;
}

/** Renders an item, once, at the end of the run. */
export function toResult(item: Item, view: View): ItemResult {
	switch (item.kind) {
		case 'refused':
			return toRefusedResult(item, view);
		case 'dryRun':
			return { output: { kind: 'jsons', jsons: [showRequest(item)] }, rows: [] };
		case 'direct':
			return toDirectResult(item, view);
		case 'message': {
			const parts = getParts(item);
			return { output: toMessageOutput(item, parts, view), rows: toRows(item, parts) };
		}
	}
}

function toRefusedResult({ index, error }: RefusedItem, { hasSideEffects }: View): ItemResult {
	const accepted = hasSideEffects ? 'no' : undefined;
	const failure: ItemFailure = { index, facts: findFacts(error), kind: 'other', accepted };
	return { output: { kind: 'failure', failure }, rows: [toNotAttempted(index)] };
}

function toDirectResult(
	{ index: itemIndex, status }: DirectItem,
	{ hasSideEffects }: View,
): ItemResult {
	switch (status.state) {
		case 'planned':
			return { output: { kind: 'none' }, rows: [toNotAttempted(itemIndex)] };
		case 'done': {
			const { outputs: jsons } = status;
			const proof = hasSideEffects ? findAcknowledgement(jsons[0]) : undefined;
			const rows: ReportRow[] = proof
				? [{ state: 'accepted', entry: { itemIndex, ...proof } }]
				: [];
			return { output: { kind: 'jsons', jsons }, rows };
		}
		case 'failed': {
			const { error } = status;
			const accepted = hasSideEffects ? status.accepted : undefined;
			const facts = findFacts(error);
			const failure: ItemFailure = { index: itemIndex, facts, kind: getKind(error), accepted };
			const { statusCode } = facts;
			const rows = accepted ? [toErroredRow(accepted, { itemIndex }, statusCode)] : [];
			return { output: { kind: 'failure', failure }, rows };
		}
	}
}

function getKind(error: unknown): ItemFailure['kind'] {
	return error instanceof ServiceFailure ? 'service' : 'other';
}

/** Numbers of an item with the same status, in list order. */
type Part =
	| { kind: 'accepted'; numbers: string[]; json: IDataObject }
	/** Sent, but it ended in an error; `accepted` says what the service took. */
	| { kind: 'errored'; numbers: string[]; error: unknown; accepted: Accepted }
	/** Failed before its request. */
	| { kind: 'failed'; numbers: string[]; error: unknown }
	| { kind: 'planned'; numbers: string[] };

type UnskippedStatus = Exclude<RecipientStatus, { state: 'skipped' }>;

/** Groups the numbers that were not skipped by request. */
function getParts({ recipients, task }: MessageItem): Part[] {
	const groups = new Map<unknown, { status: UnskippedStatus; numbers: string[] }>();
	for (const { number, status } of recipients) {
		if (status.state === 'skipped') continue;
		const groupKey = getGroupKey(status);
		const group = groups.get(groupKey) ?? { status, numbers: [] };
		group.numbers.push(number.text);
		groups.set(groupKey, group);
	}
	return [...groups.values()].map(({ status, numbers }) => toPart(task, status, numbers));
}

/** The same value, compared by identity, for numbers that belong together. */
function getGroupKey(status: UnskippedStatus): unknown {
	switch (status.state) {
		case 'planned':
			return status.state;
		case 'failed':
			return status.error;
		case 'sent':
			return status.request;
	}
}

function toPart(task: Message, status: UnskippedStatus, numbers: string[]): Part {
	switch (status.state) {
		case 'planned':
			return { kind: 'planned', numbers };
		case 'failed':
			return { kind: 'failed', numbers, error: status.error };
		case 'sent': {
			const { request } = status;
			if (request.ok) {
				return { kind: 'accepted', numbers, json: task.outputFor(request.answer, numbers) };
			}
			return { kind: 'errored', numbers, error: request.error, accepted: request.accepted };
		}
	}
}

function getPartAcceptance(part: Part): Accepted {
	switch (part.kind) {
		case 'accepted':
			return 'yes';
		case 'errored':
			return part.accepted;
		case 'failed':
		case 'planned':
			return 'no';
	}
}

function toMessageOutput(item: MessageItem, parts: readonly Part[], view: View): ItemOutput {
	const failed = parts.find((part) => part.kind === 'errored' || part.kind === 'failed');
	if (failed) return { kind: 'failure', failure: toFailure(item, failed.error, parts, view) };
	if (parts.some(({ kind }) => kind === 'planned')) return { kind: 'none' };

	const first = parts.find((part) => part.kind === 'accepted');
	if (first) {
		const to = joinNumbers(parts);
		return { kind: 'jsons', jsons: [{ ...first.json, to, ...getListMembers(item, parts) }] };
	}
	if (isOverLimit(item)) return { kind: 'failure', failure: toLimitFailure(item) };

	const { key: idempotencyKey } = item.guards;
	const to = joinRecipients(item);
	return { kind: 'jsons', jsons: [{ duplicate: true, idempotencyKey, to }] };
}

/** Members for the parts of an SMS and for skipped numbers; a call has neither. */
function getListMembers(item: MessageItem, parts: readonly Part[]): IDataObject {
	if (item.task.maxNumbersPerRequest === 1) return {};
	const members: IDataObject = {};
	if (parts.length > 1) members.messages = parts.map(toEntry);
	const leftOut = getLeftOut(item);
	if (leftOut.length > 0) members.leftOut = leftOut;
	return members;
}

/** Describes one of several requests of an SMS. Specification section 2.3. */
function toEntry(part: Part): IDataObject {
	const json = part.kind === 'accepted' ? part.json : {};
	const hasError = part.kind === 'errored' || part.kind === 'failed';
	const { statusCode, statusMsg } = findFacts(hasError ? part.error : undefined);
	return {
		to: part.numbers.join(','),
		statusCode: json.statusCode ?? statusCode,
		smsMessageSid: json.smsMessageSid ?? '',
		dateCreated: json.dateCreated ?? '',
		statusMsg,
		accepted: getPartAcceptance(part),
	};
}

function getLeftOut({ recipients }: MessageItem): Array<{ to: string; reason: Skip['reason'] }> {
	return recipients.flatMap(({ number, status }) =>
		status.state === 'skipped' ? [{ to: number.text, reason: status.skip.reason }] : [],
	);
}

function toLimitFailure(item: MessageItem): ItemFailure {
	const reached = item.recipients.flatMap(({ status }) =>
		status.state === 'skipped' && status.skip.reason !== 'duplicate' ? [status.skip] : [],
	);
	const facts = findFacts(buildLimitError(reached[0], item.recipients.length));
	return {
		index: item.index,
		facts: withKeyRemedy(item, facts),
		kind: 'limit',
		accepted: 'no',
		to: joinRecipients(item),
		more: getListMembers(item, []),
	};
}

/** @param first what failed first */
function toFailure(
	item: MessageItem,
	first: unknown,
	parts: readonly Part[],
	view: View,
): ItemFailure {
	const accepted = joinAcceptances(parts.map(getPartAcceptance));
	const facts = findFacts(first);
	const remedies = [
		parts.length === 1 ? facts.remedy : getJointRemedy(accepted, facts.remedy, parts, view),
		view.isForAgent && parts.length > 1 ? listParts(item, parts) : '',
	];
	const remedy = remedies.filter(Boolean).join(' ');
	const more = getListMembers(item, parts);
	if (accepted !== 'no') Object.assign(more, item.task.errorFields);
	return {
		index: item.index,
		facts: withKeyRemedy(item, { ...facts, remedy }),
		kind: getKind(first),
		accepted,
		to: joinRecipients(item),
		more,
	};
}

/** Whether the item as a whole was accepted. */
function joinAcceptances(all: readonly Accepted[]): Accepted {
	const different = new Set(all);
	if (different.size === 1) return all[0];
	return different.has('yes') ? 'partly' : 'unknown';
}

/** What to do about the whole item: its first failure is about one request only. */
function getJointRemedy(
	accepted: Accepted,
	first: string,
	parts: readonly Part[],
	{ isForAgent }: View,
): string {
	if (accepted === 'no' || accepted === 'yes') return first;
	const isAnyUnclear = parts.map(getPartAcceptance).includes('unknown');
	const keepOut = accepted === 'partly' ? 'keep the accepted ones out of To' : '';
	const lookUp = isAnyUnclear ? 'look up the unclear ones in the Yuntongxun console first' : '';
	const advice = [keepOut, lookUp].filter(Boolean).join(', and ');
	const lists = isForAgent
		? 'Not every number was accepted'
		: 'The list of messages says which numbers were accepted, which were not, and which are unclear';
	return `${lists}: ${advice}.`;
}

/** Lists the parts in words, for AI agents. */
function listParts(item: MessageItem, parts: readonly Part[]): string {
	const list = (words: string, numbers: string[]) =>
		numbers.length === 0 ? [] : [`${words}: ${numbers.join(', ')}.`];
	const getNumbers = (accepted: Accepted) =>
		parts.flatMap((part) => (getPartAcceptance(part) === accepted ? part.numbers : []));
	const leftOut = getLeftOut(item).map(({ to, reason }) => `${to} (${reason})`);
	return [
		...list('Accepted', getNumbers('yes')),
		...list('Unclear', getNumbers('unknown')),
		...list('Not accepted', getNumbers('no')),
		...list('Left out', leftOut),
	].join(' ');
}

/** Warns that keys or counts may stay used if n8n's database did not confirm that it freed them. */
function withKeyRemedy({ requests }: MessageItem, facts: FailureFacts): FailureFacts {
	const mayLeaveRecords = requests.some((request) => request.mayLeaveRecords);
	if (!mayLeaveRecords || facts.remedy.includes(MAY_COUNT_AS_USED)) return facts;
	return { ...facts, remedy: `${facts.remedy} ${MAY_COUNT_AS_USED}`.trim() };
}

/** The output of a dry run. */
function showRequest({ task, route }: DryRunItem): IDataObject {
	const numbers = task.recipients.map(({ text }) => text);
	const { endpoint, fields } = task.requestFor(numbers, route?.sign().respUrl);
	const request: IDataObject = { ...fields };
	if (typeof fields.respUrl === 'string') request.respUrl = redactUrl(fields.respUrl);
	const to = numbers.join(',');
	return { dryRun: true, to, ...task.preview, endpoint: endpoint.name, request };
}

function joinNumbers(parts: readonly Part[]): string {
	return parts.flatMap(({ numbers }) => numbers).join(',');
}

function joinRecipients({ recipients }: MessageItem): string {
	return recipients.map(({ number }) => number.text).join(',');
}

/** One row for each number of a message; one for the whole item if nothing of it was begun. */
function toRows(item: MessageItem, parts: readonly Part[]): ReportRow[] {
	const { index: itemIndex } = item;
	const leftOut = getLeftOut(item).map((entry): ReportRow => {
		return { state: 'leftOut', entry: { itemIndex, ...entry } };
	});
	const isBegun = parts.some(({ kind }) => kind === 'accepted' || kind === 'errored');
	if (!isBegun && leftOut.length === 0) return [toNotAttempted(itemIndex)];
	return [...parts.flatMap((part) => toPartRows(itemIndex, part)), ...leftOut];
}

function toPartRows(itemIndex: number, part: Part): ReportRow[] {
	const entry = { itemIndex, to: part.numbers.join(',') };
	switch (part.kind) {
		case 'accepted':
			return [{ state: 'accepted', entry: { itemIndex, ...findAcknowledgement(part.json) } }];
		case 'errored':
			return [toErroredRow(part.accepted, entry, findFacts(part.error).statusCode)];
		case 'failed':
		case 'planned':
			return [{ state: 'notReached', entry }];
	}
}

/** The row of a request that failed. */
function toErroredRow(
	accepted: Accepted,
	entry: ReportRow['entry'],
	statusCode: string,
): ReportRow {
	switch (accepted) {
		case 'yes':
			return { state: 'accepted', entry: { ...entry, statusCode } };
		case 'no':
			return { state: 'refused', entry: { ...entry, statusCode } };
		case 'unknown':
		case 'partly':
			return { state: 'unclear', entry };
	}
}

function toNotAttempted(itemIndex: number): ReportRow {
	return { state: 'notAttempted', entry: { itemIndex } };
}

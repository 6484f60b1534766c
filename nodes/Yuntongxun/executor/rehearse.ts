import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Send } from '../client/request';
import { translate } from '../language/translate';
import { buildMadeUpId } from '../operation/rehearsal';
import type { Rehearsal } from '../operation/rehearsal';
import { toResultJson } from '../waiting/waitItems';
import { getUnskipped, isOpen, isRehearsed } from './model';
import type { Item, MessageItem } from './model';

/** The items that are rehearsed, each with what its operation shows. */
const findRehearsed = (items: readonly Item[]) =>
	items
		.filter((item) => item.kind === 'message')
		.flatMap((item) => (item.rehearsal ? [{ ...item, rehearsal: item.rehearsal }] : []));

/**
 * Accepts the requests of the items that are rehearsed, unless they are refused, with made-up answers.
 *
 * @param executionId for the ids in them
 */
export function acceptRehearsed(items: readonly Item[], executionId: string): void {
	for (const { rehearsal, index, requests } of findRehearsed(items)) {
		requests.forEach((request, position) => {
			if (!isOpen(request)) return;
			const answer = rehearsal.answerFor(buildMadeUpId(executionId, index, position));
			request.fate = { state: 'accepted', answer };
		});
	}
}

/**
 * Reads the texts that the previews of a run lack, with one request. Where that fails there is no
 * preview. Only the list of the first item is read.
 */
export async function readPreviews(
	items: readonly Item[],
	getClient: (timeout: number) => Send,
): Promise<void> {
	const open = findRehearsed(items).flatMap(({ timeout, rehearsal }) => {
		const { preview, listedText } = rehearsal;
		return listedText && !preview ? [{ rehearsal, timeout, listedText }] : [];
	});
	const [first] = open;
	if (!first) return;

	try {
		const { list, readList } = first.listedText;
		const texts = await readList(getClient(first.timeout));
		for (const { rehearsal, listedText } of open) {
			const text = listedText.list === list ? texts.get(listedText.id) : undefined;
			if (text !== undefined) rehearsal.preview = listedText.fill(text);
		}
	} catch {
		// The preview is a favor.
	}
}

/**
 * The output of a rehearsed message.
 *
 * @param json what the real run would give, before anybody has the result of a call
 */
export function describeRehearsal(
	{ task, route, requests }: MessageItem,
	{ resultFor, members, preview, showFields = (fields) => fields }: Rehearsal,
	json: IDataObject,
): IDataObject {
	const { endpoint, fields } = task.requestFor(getUnskipped(requests[0]), route?.buildUrl());
	return {
		...(resultFor ? toResultJson(json, resultFor(json, fields)) : json),
		...members,
		dryRun: true,
		requests: requests.length,
		...preview,
		request: { endpoint: endpoint.name, ...showFields(fields) },
	};
}

const ONLY_REHEARSES =
	'This node only rehearses: nobody was called or texted. Remove Dry Run under Options to send.';

/**
 * Tells of a node that only rehearses in production, where nobody may notice.
 *
 * @param items of a run that rehearses one at least
 * @returns hints
 */
export function warnOfRehearsal(context: IExecuteFunctions, items: readonly Item[]): string[] {
	const isAnySent = items.some((item) => item.kind === 'message' && !isRehearsed(item));
	if (isAnySent || context.getMode() === 'manual') return [];

	context.logger.warn(`Yuntongxun: ${context.getNode().name}: ${ONLY_REHEARSES}`);
	return [translate(ONLY_REHEARSES)];
}

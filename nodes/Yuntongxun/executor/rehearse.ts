import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toCallEvent } from '../callbacks/callEvent';
import type { CallEventName, CallResult } from '../callbacks/callEvent';
import { redactUrl } from '../callbacks/callbackUrl';
import type { Send } from '../client/client';
import { translate } from '../language/translate';
import { buildMadeUpAnswer, buildMadeUpId, REHEARSED_SECONDS } from '../operation/rehearsal';
import type { RehearsedOutcome } from '../operation/rehearsal';
import { queryTemplates, VENDOR_TEMPLATE } from '../resources/smsTemplate/templates';
import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';
import { toResultJson } from '../waiting/wait/waitItems';
import { getUnskipped, packRequests } from './model';
import type { DryRunItem, Item, MessageItem } from './model';

/**
 * Reads the texts of templates for the previews of a run, with one request. Where that fails there is
 * no preview. Only texts of the first item's application are read.
 */
export async function readTemplateTexts(
	items: readonly Item[],
	getClient: (timeout: number) => Send,
): Promise<void> {
	const open = items
		.filter((item) => item.kind === 'dryRun')
		.filter(({ task }) => task.template !== undefined && task.preview === undefined);
	const [first] = open;
	const appId = first?.task.template?.appId;
	if (appId === undefined) return;

	try {
		const listed = await queryTemplates(getClient(first.timeout), appId);
		const contents = new Map(
			[VENDOR_TEMPLATE, ...listed].map(({ id, content }) => [id, String(content)]),
		);
		for (const item of open) {
			const { template } = item.task;
			if (template?.appId === appId) item.templateText = contents.get(template.id);
		}
	} catch {
		// The preview is a favor.
	}
}

/** Accepts all requests of a rehearsed message, with made-up ids. */
export function acceptAll(item: DryRunItem, executionId: string): MessageItem {
	const { index, task, timeout } = item;
	const accepted = packRequests({ kind: 'message', index, task, timeout, guards: {} });
	accepted.requests.forEach((request, position) => {
		const { subject } = task.requestFor(getUnskipped(request)).endpoint;
		const isCall = subject === 'call' || subject === 'codeCall';
		const answer = buildMadeUpAnswer(buildMadeUpId(executionId, index, position), isCall);
		request.fate = { state: 'accepted', answer };
	});
	return accepted;
}

/**
 * The output of a rehearsed message.
 *
 * @param json what the real run would give, before anybody has the result of a call
 */
export function describeRehearsal(
	item: DryRunItem,
	{ requests }: MessageItem,
	json: IDataObject,
): IDataObject {
	const { task, route, templateText } = item;
	const { endpoint, fields } = task.requestFor(getUnskipped(requests[0]), route?.sign().respUrl);
	const request: IDataObject = { endpoint: endpoint.name, ...fields };
	if (typeof fields.respUrl === 'string') request.respUrl = redactUrl(fields.respUrl);

	const preview =
		task.preview ?? (templateText === undefined ? {} : task.template?.fill(templateText));
	return {
		...rehearseResult(item, json, fields.userData),
		...task.rehearsed,
		dryRun: true,
		requests: requests.length,
		...preview,
		request,
	};
}

/** How the service reports a rehearsed call. Specification section 6. */
const ACTIONS: Record<CallEventName, string> = {
	voiceVerification: 'VoiceCode',
	voiceNotification: 'SellingCall',
};

const REPORTS: Record<RehearsedOutcome, { state: string; duration: string } | undefined> = {
	completed: { state: '0', duration: REHEARSED_SECONDS },
	noAnswer: { state: '1', duration: '0' },
	failed: { state: '2', duration: '0' },
	timeout: undefined,
};

/** Adds the fields of a result to a call that would wait for it. */
function rehearseResult(
	{ task, outcome }: DryRunItem,
	json: IDataObject,
	userData: unknown,
): IDataObject {
	if (task.resultWish?.kind !== 'wait') return json;

	const report = REPORTS[outcome];
	if (report === undefined) return toResultJson(json, undefined);
	const callEvent = toCallEvent({
		action: ACTIONS[task.resultWish.event],
		callSid: String(json.callSid),
		number: String(json.to),
		...report,
		...(typeof userData === 'string' && { userData }),
	});
	const result: CallResult = { callEvent, at: Date.now() };
	return toResultJson(json, result);
}

const ONLY_REHEARSES =
	'This node only rehearses: nobody was called or texted. Remove Dry Run under Options to send.';

/** How long a node that only rehearses is silent in n8n's log, in milliseconds. */
const WARN_EVERY_MS = 60 * 60_000;

/** When nodes last warned, in milliseconds since 1970. */
const lastWarnings = new BoundedMap<string, number>(1000);

/**
 * Tells of a node that only rehearses in production, where nobody may notice.
 *
 * @param items of a run that rehearses one at least
 * @returns hints
 */
export function warnOfRehearsal(context: IExecuteFunctions, items: readonly Item[]): string[] {
	const isAnySent = items.some(({ kind }) => kind === 'message');
	if (isAnySent || context.getMode() === 'manual') return [];

	const node = identifyNode(context);
	const now = Date.now();
	if (now - (lastWarnings.get(node) ?? 0) >= WARN_EVERY_MS) {
		lastWarnings.set(node, now);
		context.logger.warn(`Yuntongxun: ${context.getNode().name}: ${ONLY_REHEARSES}`);
	}
	return [translate(ONLY_REHEARSES)];
}

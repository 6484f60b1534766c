import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Account } from './accounts';
import { refusal, writeAnswer, type Answer, type WrittenAnswer } from './answers';
import type { PlannedResult } from './callResults';
import { readEnvelope, type Envelope, type WireRequest } from './envelope';
import { describeFault, type FaultRule, type Faults } from './faults';
import { readJsonBody } from './jsonBody';
import {
	checkFields,
	recipients,
	withoutEmpty,
	type Operation,
	type RequestContent,
} from './operations';
import type { Acceptance, AcceptedCall, RecordedRequest, Recorder } from './record';
import { respond, respondWithFault } from './respond';
import { operate, type Outcome, type ServiceContext } from './service';
import type { Settings } from './settings';
import type { SubAccount } from './subAccountStore';
import type { Tasks } from './pendingTasks';
import { broken, type Violation } from './violation';
import { readXmlBody, type ReadBody } from './xmlBody';

/** What an exchange works with. */
export interface ExchangeContext {
	/** Path in front of the version segment; empty, or starting with a slash. */
	readonly basePath: string;
	readonly settings: () => Settings;
	/** The moment, milliseconds since 1970 UTC. */
	readonly now: () => number;
	readonly findAccount: (accountSid: string) => Account | undefined;
	readonly findSubAccount: (subAccountSid: string) => SubAccount | undefined;
	/** The code that a main account which is not activated gets; undefined if it is. */
	readonly stoppedCode: () => string | undefined;
	readonly service: ServiceContext;
	readonly recorder: Recorder;
	readonly faults: Faults;
	readonly tasks: Tasks;
	/** The results that a call to a number will have. */
	readonly planFor: (to: string) => readonly PlannedResult[];
	/** Sends a call result to the `respUrl` of the call; never fails. */
	readonly sendResult: (call: AcceptedCall, planned: PlannedResult) => Promise<void>;
	/** Resets the connection of a request. */
	readonly reset: (request: IncomingMessage) => void;
}

const EMPTY: RequestContent = { fields: new Map() };

/** The real answer of a request that was not carried out. */
const NO_ANSWER: WrittenAnswer = { contentType: '', body: '' };

function readBody(
	body: Buffer,
	operation: Operation,
	{ requestFormat: format, queryFields }: Envelope,
): ReadBody {
	if (!operation.root) return { content: { fields: queryFields }, violations: [] };
	if (body.length === 0) return { violations: [broken('body', 'the body is empty', '160030')] };
	if (!isUtf8(body)) return { violations: [broken('body', 'the body is not UTF-8')] };
	if (format === undefined) return { violations: [] };
	const text = body.toString('utf8');
	return format === 'xml' ? readXmlBody(text, operation) : readJsonBody(text);
}

/** The numbers that a request is for, to match faults. */
function listNumbers(operation: Operation | undefined, { fields }: RequestContent): string[] {
	const to = fields.get('to') ?? '';
	return operation?.name === 'TemplateSMS' ? recipients(to) : [to];
}

const toFields = ({ fields, datas }: RequestContent): RecordedRequest['fields'] => ({
	...Object.fromEntries(fields),
	...(datas && { datas }),
});

/** A request as read and judged, not carried out yet. */
interface Judged {
	readonly envelope: Envelope;
	readonly content: RequestContent;
	readonly violations: readonly Violation[];
}

function judge(wire: WireRequest, context: ExchangeContext): Judged {
	const envelope = readEnvelope(wire, {
		basePath: context.basePath,
		findAccount: context.findAccount,
		findSubAccount: context.findSubAccount,
		stoppedCode: context.stoppedCode(),
		now: context.now(),
		maxClockSkewMs: context.settings().maxClockSkewMs,
	});
	const { operation } = envelope;
	const read = operation && readBody(wire.body, operation, envelope);
	return {
		envelope,
		content: read?.content ?? EMPTY,
		violations: [
			...envelope.violations,
			...(read?.violations ?? []),
			...(operation && read?.content ? checkFields(operation, read.content) : []),
		],
	};
}

interface CarriedOut extends Outcome {
	readonly httpStatus: number;
}

/** Carries a request out, unless it breaks a rule that refuses. */
function carryOut(judged: Judged, sequence: number, service: ServiceContext): CarriedOut {
	const { envelope, content, violations } = judged;
	const first = violations.find(({ isRefused }) => isRefused);
	if (first) return { answer: refusal(first.statusCode), httpStatus: first.httpStatus ?? 200 };
	const { operation, account } = envelope;
	if (!operation || !account) return { answer: refusal('111141'), httpStatus: 200 };
	return {
		...operate(operation.name, { sequence, account, content: withoutEmpty(content) }, service),
		httpStatus: 200,
	};
}

/** The accepted call, if it has a `respUrl`. */
const reportedCall = (acceptance: Acceptance | undefined): AcceptedCall | undefined =>
	acceptance?.kind === 'call' && acceptance.respUrl !== undefined ? acceptance : undefined;

/**
 * Makes the function that handles one complete request: it reads, judges, records and carries out
 * the request, then answers it or does what an injected fault says.
 */
export function createExchange(context: ExchangeContext) {
	const { recorder, faults, tasks } = context;
	let inProgress = 0;

	const write = (answer: Answer, entry: RecordedRequest): WrittenAnswer =>
		writeAnswer(answer, entry.answerFormat, context.settings(), entry.sequence % 2 === 1);

	const answerOrdinarily = (
		entry: RecordedRequest,
		response: ServerResponse,
		{ answer: { statusCode, statusMsg }, httpStatus }: CarriedOut,
		written: WrittenAnswer,
	): void => {
		const answer = { httpStatus, statusCode, ...(statusMsg !== undefined && { statusMsg }) };
		recorder.updateRequest(entry, { end: 'answered', answer });
		respond(response, httpStatus, written);
	};

	const strike = (
		entry: RecordedRequest,
		request: IncomingMessage,
		response: ServerResponse,
		fault: FaultRule,
		real: WrittenAnswer,
	): void => {
		switch (fault.kind) {
			case 'statusCode': {
				const answer = refusal(fault.statusCode, fault.statusMsg);
				answerOrdinarily(entry, response, { answer, httpStatus: 200 }, write(answer, entry));
				break;
			}
			case 'http':
				recorder.updateRequest(entry, {
					end: 'answered',
					answer: { httpStatus: fault.status ?? 200 },
				});
				respondWithFault(response, fault, real, entry.answerFormat, tasks);
				break;
			case 'reset':
				recorder.updateRequest(entry, { end: 'reset' });
				context.reset(request);
				break;
			case 'silence':
				recorder.updateRequest(entry, { end: 'silence' });
				break;
		}
	};

	const scheduleResults = (call: AcceptedCall, results: readonly PlannedResult[]): void => {
		for (const planned of results) {
			if (planned.when === 'beforeAnswer') continue;
			tasks.after(planned.when, async () => await context.sendResult(call, planned));
		}
	};

	const enter = (request: IncomingMessage, body: Buffer, judged: Judged, fault?: FaultRule) => {
		const { envelope, content, violations } = judged;
		const [path, ...query] = (request.url ?? '').split('?');
		return recorder.request({
			at: new Date(context.now()).toISOString(),
			method: request.method ?? '',
			path,
			query: query.join('?'),
			headers: request.headers,
			body: body.toString('utf8'),
			...(envelope.operation && { operation: envelope.operation.name }),
			...(envelope.requestFormat && { requestFormat: envelope.requestFormat }),
			answerFormat: envelope.answerFormat,
			fields: toFields(content),
			violations,
			inProgress,
			accepted: false,
			...(fault && { fault: describeFault(fault) }),
			end: 'pending',
		});
	};

	const noteOutcome = (entry: RecordedRequest, { acceptance, violation }: CarriedOut): void => {
		if (acceptance) {
			recorder.accepted(acceptance);
			recorder.updateRequest(entry, { accepted: true });
		}
		if (violation) {
			recorder.updateRequest(entry, { violations: [...entry.violations, violation] });
		}
	};

	return (request: IncomingMessage, response: ServerResponse, body: Buffer): void => {
		inProgress++;
		let isOver = false;
		const over = (): void => {
			if (!isOver) inProgress--;
			isOver = true;
		};

		const { method = '', url: target = '', rawHeaders } = request;
		const judged = judge({ method, target, rawHeaders, body }, context);
		const { operation } = judged.envelope;
		const fault = faults.take(operation?.name, listNumbers(operation, judged.content));
		const entry = enter(request, body, judged, fault);
		response.on('close', () => {
			over();
			if (entry.end === 'pending') recorder.updateRequest(entry, { end: 'clientGone' });
		});

		const carriedOut =
			fault && fault.accept !== true
				? undefined
				: carryOut(judged, entry.sequence, context.service);
		if (carriedOut) noteOutcome(entry, carriedOut);
		const written = carriedOut ? write(carriedOut.answer, entry) : NO_ANSWER;

		const call = reportedCall(carriedOut?.acceptance);
		const { latencyMs } = context.settings();
		const results = call ? context.planFor(call.to) : [];
		const answerNow = (): void => {
			if (call) scheduleResults(call, results);
			if (response.destroyed) return;
			// A client that is never answered stays in progress until it leaves.
			if (fault?.kind !== 'silence') over();
			if (fault) strike(entry, request, response, fault, written);
			else if (carriedOut) answerOrdinarily(entry, response, carriedOut, written);
		};
		const answerLater = async (): Promise<void> => {
			for (const planned of results) {
				if (call && planned.when === 'beforeAnswer') await context.sendResult(call, planned);
			}
			if (latencyMs > 0) await tasks.wait(latencyMs);
			answerNow();
		};
		const isImmediate = latencyMs === 0 && !results.some(({ when }) => when === 'beforeAnswer');
		if (isImmediate) answerNow();
		else tasks.track(answerLater());
	};
}

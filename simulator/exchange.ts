import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { refusal, writeAnswer, type Answer, type WrittenAnswer } from './answers';
import { planResults } from './callResults';
import { readEnvelope, type Envelope, type WireRequest } from './envelope';
import type { FaultRule, Faults } from './faults';
import { readJsonBody } from './jsonBody';
import { checkFields, recipients, type Operation, type RequestContent } from './operations';
import type { Tasks } from './pendingTasks';
import type { Acceptance, RecordedRequest, Recorder } from './record';
import { respond, respondWithFault } from './respond';
import type { Sender } from './sender';
import type { CompleteRequest } from './server';
import { operate } from './service';
import type { ServiceState } from './state';
import { broken, type Violation } from './violation';
import { readXmlBody, type ReadBody } from './xmlBody';

/** The parts of a simulator that an exchange works with. */
export interface ExchangeContext {
	readonly state: ServiceState;
	readonly recorder: Recorder;
	readonly faults: Faults;
	readonly tasks: Tasks;
	readonly sender: Sender;
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
function listNumbers({ envelope, content }: Judged): string[] {
	const to = content.fields.get('to') ?? '';
	return envelope.operation?.name === 'TemplateSMS' ? recipients(to) : [to];
}

/** A request as read and judged, not carried out yet. */
interface Judged {
	readonly envelope: Envelope;
	readonly content: RequestContent;
	readonly violations: readonly Violation[];
}

function judge(wire: WireRequest, now: number): Judged {
	const envelope = readEnvelope(wire, now);
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

function record(
	{ method = '', url = '', headers }: IncomingMessage,
	{ envelope, content: { fields, datas }, violations }: Judged,
	recorder: Recorder,
): RecordedRequest {
	const [path, ...query] = url.split('?');
	return recorder.addRequest({
		method,
		path,
		query: query.join('?'),
		headers,
		operation: envelope.operation?.name,
		answerFormat: envelope.answerFormat,
		fields: { ...Object.fromEntries(fields), ...(datas && { datas }) },
		violations,
	});
}

interface CarriedOut {
	readonly answer: Answer;
	readonly httpStatus: number;
	readonly acceptance?: Acceptance;
}

/** Carries a request out, unless it breaks a rule that refuses. */
function carryOut(
	{ envelope: { operation, isKnown }, content, violations }: Judged,
	entry: RecordedRequest,
	{ state, recorder }: ExchangeContext,
): CarriedOut {
	const [first] = violations;
	if (first) return { answer: refusal(first.statusCode), httpStatus: first.httpStatus };
	if (!operation || !isKnown) return { answer: refusal('111141'), httpStatus: 200 };
	const { accepted } = recorder.record;
	const { answer, acceptance, violation } = operate(operation.name, {
		...content,
		state,
		accepted,
	});
	if (acceptance) {
		recorder.addAccepted(acceptance);
		entry.accepted = true;
	}
	if (violation) entry.violations = [violation];
	return { answer, acceptance, httpStatus: 200 };
}

/** Sends the results that come before the answer, waits until it is due, and plans the other results. */
async function untilDue(
	acceptance: Acceptance | undefined,
	context: ExchangeContext,
): Promise<void> {
	const { state, tasks, sender } = context;
	const { latencyMs, callResultDelayMs } = state.settings;
	const call = acceptance?.kind === 'call' && acceptance.respUrl ? acceptance : undefined;
	const results = call ? planResults(call.to, callResultDelayMs) : [];
	for (const planned of results) {
		if (call && planned.when === 'beforeAnswer') await sender.sendResult(call, planned);
	}
	if (latencyMs > 0) await tasks.wait(latencyMs);
	for (const planned of results) {
		if (call && planned.when !== 'beforeAnswer') {
			tasks.after(planned.when, () => void sender.sendResult(call, planned));
		}
	}
}

/** Answers a request, or does what a fault says. @param done what came of it, if it was carried out */
function finish(
	{ response, reset }: CompleteRequest,
	entry: RecordedRequest,
	done: CarriedOut | undefined,
	fault: FaultRule | undefined,
	{ state, recorder }: ExchangeContext,
): void {
	const { leadingBlanks } = state.settings;
	// Every other answer has its members in reverse order.
	const manner = { leadingBlanks, isReversed: entry.sequence % 2 === 1 };
	const write = (answer: Answer) => writeAnswer(answer, entry.answerFormat, manner);
	const send = (httpStatus: number, answer: Answer): void => {
		recorder.endRequest(entry, 'answered', answer.statusCode);
		respond(response, httpStatus, write(answer));
	};
	if (fault === undefined) {
		if (done) send(done.httpStatus, done.answer);
	} else if (fault.kind === 'statusCode') {
		send(200, refusal(fault.statusCode, fault.statusMsg));
	} else if (fault.kind === 'http') {
		recorder.endRequest(entry, 'answered', `HTTP ${fault.status ?? 200}`);
		respondWithFault(response, fault, done ? write(done.answer) : NO_ANSWER);
	} else {
		recorder.endRequest(entry, fault.kind);
		if (fault.kind === 'reset') reset();
	}
}

/** Handles one complete request: judges it, carries it out and answers, unless a fault hits it. */
export async function exchange(complete: CompleteRequest, context: ExchangeContext): Promise<void> {
	const { request, response, body } = complete;
	const { method = '', url: target = '', rawHeaders } = request;
	const judged = judge({ method, target, rawHeaders, body }, context.state.now());
	const fault = context.faults.take(listNumbers(judged));
	const entry = record(request, judged, context.recorder);
	const done = fault && !fault.accept ? undefined : carryOut(judged, entry, context);
	await untilDue(done?.acceptance, context);
	if (!response.destroyed) finish(complete, entry, done, fault, context);
}

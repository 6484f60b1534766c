import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { refusal, writeAnswer, type Answer, type WrittenAnswer } from './answers';
import type { PlannedResult } from './callResults';
import { readEnvelope, type Envelope, type WireRequest } from './envelope';
import type { FaultRule, Faults } from './faults';
import { readJsonBody } from './jsonBody';
import { checkFields, recipients, type Operation, type RequestContent } from './operations';
import type { Tasks } from './pendingTasks';
import type { AcceptedCall, RecordedRequest, Recorder } from './record';
import { respond, respondWithFault } from './respond';
import type { Sender } from './sender';
import type { CompleteRequestListener, ServiceServer } from './server';
import { operate, type Outcome } from './service';
import { planCall, type ServiceState } from './state';
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

function judge(wire: WireRequest, { state }: ExchangeContext): Judged {
	const { account, settings } = state;
	const envelope = readEnvelope(wire, {
		findAccount: (accountSid) => (accountSid === account.accountSid ? account : undefined),
		now: state.now(),
		maxClockSkewMs: settings.maxClockSkewMs,
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

/** One request: how it is judged, carried out and answered. */
class Exchange {
	private readonly judged: Judged;
	private readonly fault?: FaultRule;
	private readonly entry: RecordedRequest;

	constructor(
		private readonly context: ExchangeContext & Pick<ServiceServer, 'reset'>,
		private readonly request: IncomingMessage,
		private readonly response: ServerResponse,
		body: Buffer,
	) {
		const { method = '', url: target = '', rawHeaders } = request;
		this.judged = judge({ method, target, rawHeaders, body }, context);
		const { operation } = this.judged.envelope;
		this.fault = context.faults.take(operation?.name, listNumbers(operation, this.judged.content));
		this.entry = context.recorder.request(this.describe(body));
		response.on('close', () => {
			if (this.entry.end === 'pending') this.note({ end: 'clientGone' });
		});
	}

	/** Carries the request out, then answers it or does what an injected fault says. */
	run(): void {
		const { fault } = this;
		const done = fault && fault.accept !== true ? undefined : this.carryOut();
		const written = done ? this.write(done.answer) : NO_ANSWER;
		const answer = (): void => {
			if (this.response.destroyed) return;
			if (fault) this.strike(fault, written);
			else if (done) this.answer(done, written);
		};
		const call = done?.acceptance;
		if (call?.kind !== 'call' || call.respUrl === undefined) this.schedule([], answer);
		else this.schedule(planCall(this.context.state, call.to), answer, call);
	}

	private describe(body: Buffer): Omit<RecordedRequest, 'sequence'> {
		const { envelope, content, violations } = this.judged;
		const { method = '', url = '', headers } = this.request;
		const [path, ...query] = url.split('?');
		return {
			method,
			path,
			query: query.join('?'),
			headers,
			body: body.toString('utf8'),
			...(envelope.operation && { operation: envelope.operation.name }),
			...(envelope.requestFormat && { requestFormat: envelope.requestFormat }),
			answerFormat: envelope.answerFormat,
			fields: toFields(content),
			violations,
			accepted: false,
			end: 'pending',
		};
	}

	private note(change: Partial<RecordedRequest>): void {
		this.context.recorder.updateRequest(this.entry, change);
	}

	/** Carries the request out, unless it breaks a rule that refuses. */
	private carryOut(): CarriedOut {
		const { envelope, content, violations } = this.judged;
		const [first] = violations;
		if (first) return { answer: refusal(first.statusCode), httpStatus: first.httpStatus };
		const { operation, account } = envelope;
		if (!operation || !account) return { answer: refusal('111141'), httpStatus: 200 };
		const { state, recorder } = this.context;
		const { sequence } = this.entry;
		const service = { ...state, accepted: recorder.record.accepted };
		const asked = { sequence, account, content: content };
		const outcome = operate(operation.name, asked, service);
		const { acceptance, violation } = outcome;
		if (acceptance) {
			recorder.accepted(acceptance);
			this.note({ accepted: true });
		}
		if (violation) this.note({ violations: [...violations, violation] });
		return { ...outcome, httpStatus: 200 };
	}

	private write(answer: Answer): WrittenAnswer {
		const { answerFormat, sequence } = this.entry;
		return writeAnswer(answer, answerFormat, this.context.state.settings, sequence % 2 === 1);
	}

	/** Sends the results that come before the answer, then answers, then plans the others. */
	private schedule(
		results: readonly PlannedResult[],
		answer: () => void,
		call?: AcceptedCall,
	): void {
		const { state, tasks, sender } = this.context;
		const { latencyMs } = state.settings;
		const send = async (planned: PlannedResult): Promise<void> => {
			if (call) await sender.sendResult(call, planned);
		};
		const early = results.filter(({ when }) => when === 'beforeAnswer');
		const answerNow = (): void => {
			for (const planned of results) {
				if (planned.when !== 'beforeAnswer') tasks.after(planned.when, () => send(planned));
			}
			answer();
		};
		const answerLater = async (): Promise<void> => {
			for (const planned of early) await send(planned);
			if (latencyMs > 0) await tasks.wait(latencyMs);
			answerNow();
		};
		if (latencyMs === 0 && early.length === 0) answerNow();
		else tasks.track(answerLater());
	}

	private answer(
		{ answer: { statusCode, statusMsg }, httpStatus }: CarriedOut,
		written: WrittenAnswer,
	): void {
		const answer = { httpStatus, statusCode, ...(statusMsg !== undefined && { statusMsg }) };
		this.note({ end: 'answered', answer });
		respond(this.response, httpStatus, written);
	}

	/** @param real the answer without the fault */
	private strike(fault: FaultRule, real: WrittenAnswer): void {
		switch (fault.kind) {
			case 'statusCode': {
				const answer = refusal(fault.statusCode, fault.statusMsg);
				this.answer({ answer, httpStatus: 200 }, this.write(answer));
				break;
			}
			case 'http': {
				const { tasks } = this.context;
				this.note({ end: 'answered', answer: { httpStatus: fault.status ?? 200 } });
				respondWithFault(this.response, fault, real, this.entry.answerFormat, tasks);
				break;
			}
			case 'reset':
				this.note({ end: 'reset' });
				this.context.reset(this.request);
				break;
			case 'silence':
				this.note({ end: 'silence' });
				break;
		}
	}
}

/** Makes the function that handles one complete request. */
export function createExchange(
	context: ExchangeContext & Pick<ServiceServer, 'reset'>,
): CompleteRequestListener {
	return (...complete) => new Exchange(context, ...complete).run();
}

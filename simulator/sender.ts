import { planResults, writeCallResult } from './callResults';
import type { CallResultOverrides, KnownCall, PlannedResult } from './callResults';
import { compactTime } from './clock';
import type { Tasks } from './pendingTasks';
import { findCall, type Recorder, type SentNotification } from './record';
import type { ServiceState } from './state';
import { broken, shown, type Violation } from './violation';

/** How long a receiver has to answer (not stated by the service). */
const PATIENCE_MS = 60_000;
/** The default result of a call, if a test sends one: somebody picked up. */
const PICKED_UP: PlannedResult = { when: 0, state: '0', duration: '30' };

/** What somebody has answered to an SMS. */
interface Reply {
	readonly number: string;
	readonly text: string;
	/** The digits behind the sender's number that the SMS had. */
	readonly appendCode?: string;
}

type ReceiverAnswer = NonNullable<SentNotification['answer']>;
type Told = Pick<SentNotification, 'about' | 'callSid' | 'url'>;

/** Sends what the service reports on its own: results of calls, and replies to SMS. */
export class Sender {
	constructor(
		private readonly state: ServiceState,
		private readonly recorder: Recorder,
		private readonly tasks: Tasks,
	) {}

	/**
	 * Sends a call result now.
	 * @param callSid of an accepted call, or any other one together with `overrides.url`
	 * @returns the notification with the receiver's answer or the error
	 * @throws Error without a URL to send it to
	 */
	async sendCallResult(
		callSid: string,
		overrides: CallResultOverrides = {},
	): Promise<SentNotification> {
		const call = findCall(this.recorder.record.accepted, callSid);
		const [planned = PICKED_UP] = call ? planResults(call.to, 0) : [];
		return await this.sendResult(call ?? { callSid }, planned, overrides);
	}

	async sendResult(
		call: KnownCall,
		planned: PlannedResult,
		overrides: CallResultOverrides = {},
	): Promise<SentNotification> {
		const { callSid } = call;
		const url = overrides.url ?? call.respUrl;
		if (url === undefined) throw new Error(`There is no respUrl for the call ${callSid}`);
		const body = writeCallResult(call, planned, this.state.now(), overrides.fields);
		return await this.notify(
			{ about: `result of call ${callSid}`, callSid, url },
			'text/plain',
			body,
		);
	}

	/** Pushes a reply to an SMS to a URL now (service facts, "SMS pushes"); returns the same. */
	async sendSmsReply(
		{ number, text, appendCode = '' }: Reply,
		{ url }: { readonly url: string },
	): Promise<SentNotification> {
		const time = compactTime(this.state.now());
		const Request = {
			action: 'SMSArrived',
			apiVersion: '2013-12-26',
			status: '0',
			smsType: '0',
			recvTime: time,
			fromNum: number,
			appendCode,
			content: text,
			dateSent: time,
		};
		const body = JSON.stringify({ Request });
		return await this.notify({ about: `reply from ${number}`, url }, 'application/json', body);
	}

	private async notify(told: Told, contentType: string, body: string): Promise<SentNotification> {
		const notification = this.recorder.addNotification(told);
		try {
			const answer = await deliver(told.url, contentType, body, this.tasks.signal());
			const violations = checkAcknowledgement(answer);
			this.recorder.endNotification(notification, { answer, violations });
		} catch (error) {
			const { message, cause } = error as Error;
			this.recorder.endNotification(notification, { error: `${message} ${String(cause ?? '')}` });
		}
		return notification;
	}
}

/**
 * Sends a notification, on a connection of its own, and reads the receiver's answer. Redirects are not
 * followed.
 * @throws Error without an answer: refused, reset, too late, or aborted
 */
async function deliver(
	url: string,
	contentType: string,
	body: string,
	stop: AbortSignal,
): Promise<ReceiverAnswer> {
	const answer = await fetch(url, {
		method: 'POST',
		headers: { 'Content-Type': contentType, Connection: 'close' },
		body,
		redirect: 'manual',
		signal: AbortSignal.any([stop, AbortSignal.timeout(PATIENCE_MS)]),
	});
	return { httpStatus: answer.status, body: await answer.text() };
}

const ACKNOWLEDGEMENT =
	/^\s*(<\?xml[^>]*\?>)?\s*<Response>\s*<statuscode>000000<\/statuscode>\s*<\/Response>\s*$/;

/**
 * Checks a receiver's answer: HTTP 200 and, in these letters,
 * `<Response><statuscode>000000</statuscode></Response>` (service facts).
 */
function checkAcknowledgement({ httpStatus, body }: ReceiverAnswer): Violation[] {
	if (httpStatus !== 200) {
		const words = `the receiver must answer HTTP 200, not ${httpStatus}`;
		return [broken('acknowledgement', words)];
	}
	if (ACKNOWLEDGEMENT.test(body)) return [];
	const words = `the receiver must acknowledge with <statuscode>000000</statuscode>: ${shown(body)}`;
	return [broken('acknowledgement', words)];
}

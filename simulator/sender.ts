import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { rootCertificates } from 'node:tls';
import { DOMParser } from '@xmldom/xmldom';
import { writeCallResult, type CallResultOverrides, type PlannedResult } from './callResults';
import { compactTime } from './clock';
import type { Tasks } from './pendingTasks';
import { findCall, type AcceptedCall, type Recorder, type SentNotification } from './record';
import { planCall, type ServiceState } from './state';
import { broken, shown, type Violation } from './violation';

/** How long a receiver has to answer (not stated by the service). */
const PATIENCE_MS = 60_000;
/** Longest answer of a receiver, bytes. */
const SIZE_LIMIT = 64 * 1024;
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
type Told = Omit<SentNotification, 'violations'>;

/** Sends what the service tells by itself: results of calls, and replies to SMS. */
export class Sender {
	/** @param ca the simulator's own certificate authority, which receivers may use too */
	constructor(
		private readonly state: ServiceState,
		private readonly recorder: Recorder,
		private readonly tasks: Tasks,
		private readonly ca: string,
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
		const [planned = PICKED_UP] = call ? planCall(this.state, call.to, 0) : [];
		return await this.sendResult(call ?? { callSid }, planned, overrides);
	}

	async sendResult(
		call: Partial<AcceptedCall> & Pick<AcceptedCall, 'callSid'>,
		planned: PlannedResult,
		overrides: CallResultOverrides = {},
	): Promise<SentNotification> {
		const { callSid } = call;
		const url = overrides.url ?? call.respUrl;
		if (url === undefined) throw new Error(`There is no respUrl for the call ${callSid}`);
		const body = writeCallResult(call, planned, this.state.now(), overrides.fields);
		const told = { about: `result of call ${callSid}`, callSid, url };
		return await this.notify(
			{ ...told, contentType: 'text/plain', body },
			overrides.expectAcknowledgement,
		);
	}

	/** Pushes a reply to an SMS to a URL now (service facts, "SMS pushes"); gives the same. */
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
		const told = { about: `reply from ${number}`, url };
		const body = JSON.stringify({ Request });
		return await this.notify({ ...told, contentType: 'application/json', body });
	}

	private async notify(
		told: Told,
		isChecked = this.state.settings.checkAcknowledgements,
	): Promise<SentNotification> {
		const { recorder, ca } = this;
		const notification = recorder.notification({ ...told, violations: [] });
		try {
			const answer = await deliver(told, ca, this.tasks.signal());
			const violations = isChecked ? checkAcknowledgement(answer) : [];
			recorder.updateNotification(notification, { answer, violations });
		} catch (error) {
			recorder.updateNotification(notification, { error: (error as Error).message });
		}
		return notification;
	}
}

/**
 * Sends a notification and reads the receiver's answer. Redirects are not followed.
 * @throws Error without an answer: refused, reset, too late, too long, or aborted
 */
async function deliver(told: Told, ca: string, signal: AbortSignal): Promise<ReceiverAnswer> {
	const body = Buffer.from(told.body);
	const isHttps = new URL(told.url).protocol === 'https:';
	const options = {
		method: 'POST',
		headers: { 'Content-Type': told.contentType, 'Content-Length': body.length },
		agent: false as const,
		signal,
		timeout: PATIENCE_MS,
		...(isHttps && { ca: [...rootCertificates, ca] }),
	};
	return await new Promise((resolve, reject) => {
		const request = (isHttps ? httpsRequest : httpRequest)(told.url, options, (response) => {
			const chunks: Buffer[] = [];
			let size = 0;
			response.on('data', (chunk: Buffer) => {
				size += chunk.length;
				if (size > SIZE_LIMIT) request.destroy(new Error('the answer is too long'));
				chunks.push(chunk);
			});
			response.on('error', reject);
			response.on('end', () => {
				const { statusCode: httpStatus = 0, headers } = response;
				const contentType = headers['content-type'] ?? '';
				resolve({ httpStatus, contentType, body: Buffer.concat(chunks).toString('utf8') });
			});
		});
		request.on('timeout', () => request.destroy(new Error('the receiver did not answer')));
		request.on('error', reject);
		request.end(body);
	});
}

function getAcknowledgedCode(body: string): string | undefined {
	const onError = (level: string, message: string): never => {
		throw new Error(`${level}: ${message}`);
	};
	try {
		const parser = new DOMParser({ locator: false, onError });
		const root = parser.parseFromString(body, 'application/xml').documentElement;
		const [code, ...others] = Array.from(root?.childNodes ?? []);
		const isExpected =
			root?.nodeName === 'Response' && code?.nodeName === 'statuscode' && others.length === 0;
		return isExpected ? (code.textContent ?? '') : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Checks a receiver's answer: HTTP 200 and, in these letters,
 * `<Response><statuscode>000000</statuscode></Response>` (service facts).
 */
function checkAcknowledgement({ httpStatus, body }: ReceiverAnswer): Violation[] {
	if (httpStatus !== 200) {
		const words = `the receiver must answer HTTP 200, not ${httpStatus}`;
		return [broken('acknowledgement', words)];
	}
	if (getAcknowledgedCode(body) === '000000') return [];
	const words = `the receiver must acknowledge with <statuscode>000000</statuscode>: ${shown(body)}`;
	return [broken('acknowledgement', words)];
}

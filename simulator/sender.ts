import { writeCallResult, type CallResultOverrides, type PlannedResult } from './callResults';
import { checkAcknowledgement, deliver } from './notifier';
import type { Tasks } from './pendingTasks';
import {
	writeSmsReply,
	writeSmsReport,
	type PushedReply,
	type ReportOverrides,
	type SmsPushOverrides,
	type WrittenPush,
} from './pushes';
import {
	findCall,
	type AcceptedCall,
	type AcceptedMessage,
	type Recorder,
	type SentNotification,
} from './record';
import { planCall, type ServiceState } from './state';

/** The default result of a call, if a test sends one: somebody picked up. */
const PICKED_UP: PlannedResult = { when: 0, state: '0', duration: '30' };

type Told = Pick<SentNotification, 'about' | 'callSid' | 'url'>;

/** Sends what the service tells by itself: results of calls, and pushes about SMS. */
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
		const written = writeCallResult(call, planned, this.state.now(), overrides);
		const told = { about: `result of call ${callSid}`, callSid, url };
		return await this.notify(told, written, overrides.expectAcknowledgement);
	}

	/**
	 * Pushes a delivery report now.
	 * @param smsMessageSid of an accepted SMS, or any other one together with `number`
	 * @returns as `sendCallResult`
	 */
	async sendSmsReport(
		smsMessageSid: string,
		overrides: ReportOverrides,
	): Promise<SentNotification> {
		const message = this.recorder.record.accepted.find(
			(one): one is AcceptedMessage =>
				one.kind === 'message' && one.smsMessageSid === smsMessageSid,
		);
		const now = this.state.now();
		const told = {
			smsMessageSid,
			number: overrides.number ?? message?.to[0] ?? '',
			reqId: message?.reqId,
			sentAt: message ? Date.parse(message.at) : now,
		};
		const written = writeSmsReport(told, now, overrides);
		const { url, expectAcknowledgement } = overrides;
		return await this.notify(
			{ about: `report on SMS ${smsMessageSid}`, url },
			written,
			expectAcknowledgement,
		);
	}

	/** Pushes a reply to an SMS now; gives the same. */
	async sendSmsReply(reply: PushedReply, overrides: SmsPushOverrides): Promise<SentNotification> {
		const written = writeSmsReply(reply, this.state.now(), overrides);
		const { url, expectAcknowledgement } = overrides;
		const about = `reply from ${reply.number}`;
		return await this.notify({ about, url }, written, expectAcknowledgement);
	}

	private async notify(
		told: Told,
		{ contentType, body }: WrittenPush,
		isChecked = this.state.settings.checkAcknowledgements,
	): Promise<SentNotification> {
		const { recorder, ca } = this;
		const written = { contentType, body: body.toString() };
		const notification = recorder.notification({ ...told, ...written, violations: [] });
		try {
			const { callResultPatienceMs: patienceMs } = this.state.settings;
			const signal = this.tasks.signal();
			const answer = await deliver({ url: told.url, contentType, body, ca, signal, patienceMs });
			const violations = isChecked ? checkAcknowledgement(answer) : [];
			recorder.updateNotification(notification, { answer, violations });
		} catch (error) {
			recorder.updateNotification(notification, { error: (error as Error).message });
		}
		return notification;
	}
}

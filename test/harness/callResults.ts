import { setTimeout as sleep } from 'node:timers/promises';
import type {
	AcceptedCall,
	AcceptedMessage,
	CallResultOverrides,
	SentNotification,
} from '../../simulator/index';
import { openResumeAddress } from '../support/sealing';
import type { Execution } from './storedExecution';
import { until } from './until';
import type { Startable } from './waitWorkflows';
import type { World } from './world';

/** Numbers whose calls get no result until a test sends one. */
const NO_RESULT = '5';

/** Longer than n8n takes to go on with a resumed execution. */
const QUIET_MS = 2_000;

/** A made-up number whose call ends as the last digit says; see the simulator. */
export const numberEnding = (digit: string): string => `1380000001${digit}`;

/** A made-up number whose call has no result until a test sends one. */
export const SILENT = numberEnding(NO_RESULT);

/**
 * The calls that an n8n under test makes, and the executions that wait for them. A workflow under
 * test reports what follows a result in an SMS of template 100002, with the call's id and what it got
 * of it as variables (`tell`): we count what the service accepted, not what n8n recorded.
 */
export class Calls {
	private started = 0;

	constructor(private readonly world: () => World) {}

	/** The name of a call: its user data. */
	nextName(): string {
		this.started += 1;
		return `call-${this.started}`;
	}

	/** Starts an execution that calls somebody. @returns the call, once the service has accepted it */
	async placeWith(workflow: Startable, to = SILENT): Promise<AcceptedCall> {
		const userData = this.nextName();
		await workflow.start({ to, userData });
		return await this.named(userData);
	}

	/** The id of the execution that waits for a call, from the address for its result. */
	executionId({ respUrl = '' }: AcceptedCall): string {
		return openResumeAddress(respUrl, this.world().simulator.credentials).split('/')[0];
	}

	/** The call of a name, once the service has accepted it. */
	async named(name: string): Promise<AcceptedCall> {
		return await until(`the call ${name}`, () => this.all().find((call) => call.userData === name));
	}

	/** All calls that the service has accepted. */
	all(): AcceptedCall[] {
		return this.world()
			.simulator.accepted()
			.filter((each): each is AcceptedCall => each.kind === 'call');
	}

	/** Waits until n8n has parked the execution. */
	async untilWaiting(call: AcceptedCall): Promise<void> {
		await this.world().n8n.rest.waiting(this.executionId(call));
	}

	/** Sends a result whatever the answer will be. */
	async send(call: AcceptedCall, overrides: CallResultOverrides = {}): Promise<SentNotification> {
		const sent = await this.world().simulator.sendCallResult(call.callSid, overrides);
		if (!sent.answer) throw new Error(`No answer to the result of ${call.callSid}: ${sent.error}`);
		return sent;
	}

	/** The HTTP status that answers a result. */
	async deliver(call: AcceptedCall, overrides: CallResultOverrides = {}): Promise<number> {
		return (await this.send(call, overrides)).answer?.httpStatus ?? 0;
	}

	/**
	 * Sends again, as a service may, each result that nobody acknowledged.
	 *
	 * @param isOver until then
	 * @returns how many were sent again
	 */
	async repeatUntil(isOver: Promise<unknown>): Promise<number> {
		let repeated = 0;
		const over = isOver.then(() => true);
		while (!(await Promise.race([over, sleep(1000, false)]))) {
			for (const callSid of this.unanswered()) {
				repeated++;
				await this.world().simulator.sendCallResult(callSid);
			}
		}
		return repeated;
	}

	/** The calls whose results have been sent, none of them acknowledged. */
	private unanswered(): string[] {
		const open = new Map<string, boolean>();
		for (const { callSid, answer, error } of this.world().simulator.record.notifications) {
			if (callSid === undefined) continue;
			const isOpen = answer?.httpStatus !== 200 && (error ?? answer) !== undefined;
			open.set(callSid, isOpen && (open.get(callSid) ?? true));
		}
		return [...open].filter(([, isOpen]) => isOpen).map(([callSid]) => callSid);
	}

	/** The SMS that went out after the result of a call. */
	followers({ callSid }: AcceptedCall): AcceptedMessage[] {
		return this.world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message')
			.filter(({ datas }) => datas[0] === callSid);
	}

	/** What was reported after the results of all calls so far, by the calls' ids. */
	allTold(): Map<string, string[]> {
		const told = new Map<string, string[]>();
		for (const each of this.world().simulator.accepted()) {
			if (each.kind !== 'message') continue;
			const [callSid, words] = each.datas;
			told.set(callSid, [...(told.get(callSid) ?? []), words]);
		}
		return told;
	}

	/** Everything reported after the result of a call, once nothing more comes. */
	async told(call: AcceptedCall, timeoutMs?: number): Promise<string[]> {
		const first = await until(
			`what follows the call ${call.callSid}`,
			() => this.followers(call).at(0),
			{ timeoutMs },
		);
		await sleep(Math.max(0, Date.parse(first.at) + QUIET_MS - Date.now()));
		return this.followers(call).map(({ datas }) => datas[1]);
	}

	/** Checks that executions wait for these calls. */
	async areParked(...calls: AcceptedCall[]): Promise<void> {
		for (const call of calls) {
			const { status } = await this.execution(call);
			expect([status, this.followers(call)]).toEqual(['waiting', []]);
		}
	}

	/** Checks that executions go on waiting for these calls, after a time in which they would not. */
	async stayParked(...calls: AcceptedCall[]): Promise<void> {
		for (const call of calls) await this.untilWaiting(call);
		await sleep(QUIET_MS);
		await this.areParked(...calls);
	}

	/** The execution that waits or has waited for a call. */
	async execution(call: AcceptedCall): Promise<Execution> {
		return await this.world().n8n.rest.execution(this.executionId(call));
	}

	/** The same once it has ended and its data is stored. */
	async ended(call: AcceptedCall): Promise<Execution> {
		return await this.world().n8n.rest.ended(this.executionId(call));
	}
}

import { setTimeout as sleep } from 'node:timers/promises';
import type {
	AcceptedCall,
	AcceptedMessage,
	CallResultOverrides,
	Simulator,
} from '../../simulator/index';
import { openResumeAddress } from '../support/sealing';
import type { Setup } from './setup';
import type { Execution } from './storedExecution';
import { until } from './until';
import {
	chain,
	hook,
	manual,
	node,
	resultTrigger,
	splitPeople,
	START,
	Startable,
	tell,
	waitingCall,
} from './workflows';

/** Longer than n8n takes to continue a resumed execution. */
const QUIET_MS = 2_000;

/** A made-up number whose call ends as the last digit says; see the simulator. */
export const numberEnding = (digit: string): string => `1380000001${digit}`;

/** A made-up number whose call has no result until a test sends one. */
export const SILENT = numberEnding('5');

/** All calls that the service has accepted. */
export const listCalls = (simulator: Simulator): AcceptedCall[] =>
	simulator.accepted().filter((each): each is AcceptedCall => each.kind === 'call');

/** All SMS that the service has accepted. */
export const listTexts = (simulator: Simulator): AcceptedMessage[] =>
	simulator.accepted().filter((each): each is AcceptedMessage => each.kind === 'message');

/**
 * The calls that an n8n under test makes, and the executions that wait for them. A workflow under
 * test reports each result in an SMS of template 100002, with the call's id and its outcome as
 * variables (`tell`): we count what the service accepted, not what n8n recorded.
 */
export class Calls {
	private started = 0;

	constructor(private readonly setup: () => Setup) {}

	/** The name of a call: its user data. */
	nextName(): string {
		this.started += 1;
		return `call-${this.started}`;
	}

	/** Starts an execution that calls somebody. @returns the call, once the service has accepted it */
	async placeWith(workflow: Startable, more: { limit?: number } = {}): Promise<AcceptedCall> {
		const userData = this.nextName();
		await workflow.start({ to: SILENT, userData, ...more });
		return await this.named(userData);
	}

	/** The call of a name, once the service has accepted it. */
	async named(name: string): Promise<AcceptedCall> {
		return await until(`the call ${name}`, () => this.allNamed(name).at(0));
	}

	/** All calls of a name so far. */
	allNamed(name: string): AcceptedCall[] {
		return listCalls(this.setup().simulator).filter(({ userData }) => userData === name);
	}

	/** The id of the execution that waits for a call, from the address for its result. */
	executionId({ respUrl = '' }: AcceptedCall): string {
		return openResumeAddress(respUrl, this.setup().simulator.credentials).split('/')[0];
	}

	/** Waits until n8n has parked the execution. */
	async untilWaiting(call: AcceptedCall): Promise<void> {
		await this.setup().n8n.rest.waiting(this.executionId(call));
	}

	/** Sends a result. @returns the HTTP status that answers it, whatever it is */
	async deliver({ callSid }: AcceptedCall, overrides: CallResultOverrides = {}): Promise<number> {
		const { simulator } = this.setup();
		const { answer, error } = await simulator.sendCallResult(callSid, overrides);
		if (!answer) throw new Error(`No answer to the result of ${callSid}: ${error}`);
		return answer.httpStatus;
	}

	/** What the SMS said that went out after the result of a call. */
	toldSoFar({ callSid }: AcceptedCall): string[] {
		const texts = listTexts(this.setup().simulator);
		return texts.filter(({ datas }) => datas[0] === callSid).map(({ datas }) => datas[1]);
	}

	/** Everything reported after the result of a call, once nothing more comes. */
	async told(call: AcceptedCall, timeoutMs?: number): Promise<string[]> {
		const isTold = () => this.toldSoFar(call).length > 0 || undefined;
		await until(`what follows the call ${call.callSid}`, isTold, { timeoutMs });
		await sleep(QUIET_MS);
		return this.toldSoFar(call);
	}

	/** Checks that an execution still waits for a call after a time in which it would have continued. */
	async staysParked(call: AcceptedCall): Promise<void> {
		await this.untilWaiting(call);
		await sleep(QUIET_MS);
		const { status } = await this.setup().n8n.rest.execution(this.executionId(call));
		expect([status, this.toldSoFar(call)]).toEqual(['waiting', []]);
	}

	/** The execution that has waited for a call, once it has ended and its data is stored. */
	async ended(call: AcceptedCall): Promise<Execution> {
		return await this.setup().n8n.rest.ended(this.executionId(call));
	}
}

/** Ways in which n8n starts an execution, besides an active trigger, by n8n's names. */
export const MODES = ['error', 'retry', 'manual'] as const;
type Mode = (typeof MODES)[number];

/**
 * Starts two waiting calls in a mode; the trigger of their own workflow gets the results. Checks that
 * each call is placed once, and that each execution continues once.
 */
export async function placeTwoInMode(setup: Setup, calls: Calls, mode: Mode): Promise<void> {
	const { simulator, credential } = setup;
	simulator.configure({ callResultDelayMs: 300 });
	const userData = calls.nextName();
	const people = [numberEnding('0'), numberEnding('1')].map((to) => ({ to, userData }));
	const jsonOutput = JSON.stringify({ body: { people } });
	const beginnings = {
		error: () => node('Error Trigger', 'n8n-nodes-base.errorTrigger'),
		retry: hook,
		manual,
	};
	const definition = chain(
		`Two calls in mode ${mode}`,
		beginnings[mode](),
		node('List', 'n8n-nodes-base.set', { mode: 'raw', jsonOutput, options: {} }, 3.4),
		splitPeople(),
		waitingCall(credential),
		tell(credential),
		resultTrigger(credential),
	);
	await startInMode(setup, await Startable.activate(setup, definition), mode);
	const placed = await until('two calls', () => {
		const made = calls.allNamed(userData);
		return made.length >= 2 ? made : undefined;
	});
	const told = await Promise.all(placed.map(async (call) => [call.to, await calls.told(call)]));
	expect(Object.fromEntries(told)).toEqual({
		[numberEnding('0')]: [`completed ${userData}`],
		[numberEnding('1')]: [`noAnswer ${userData}`],
	});
	expect(calls.allNamed(userData)).toHaveLength(2);
}

async function startInMode(setup: Setup, startable: Startable, mode: Mode): Promise<void> {
	const { rest } = setup.n8n;
	const { workflow } = startable;
	if (mode === 'manual') await rest.run(workflow, START);
	if (mode === 'error') {
		const fail = node('Fail', 'n8n-nodes-base.stopAndError', { errorMessage: 'Disk full' });
		const failing = chain('Failing', hook(), fail);
		const settings = { errorWorkflow: workflow.id };
		await (await Startable.activate(setup, { ...failing, settings })).start({});
	}
	if (mode === 'retry') {
		const refusal = { kind: 'statusCode', statusCode: '160040', times: 2 } as const;
		const fault = setup.simulator.fail(refusal);
		const { id } = await rest.startBy(workflow, async () => await startable.start({}));
		expect((await rest.ended(id)).status).toBe('error');
		fault.remove();
		await rest.retryExecution(id);
	}
}

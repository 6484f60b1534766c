import type { Execution, OutputItem } from '../../test/harness/storedExecution';
import type { StoredWorkflow } from '../../test/harness/n8nRest';
import { until } from '../../test/harness/until';
import {
	EXAMPLE_TEMPLATE,
	exampleNodes,
	exampleOrder,
	importExample,
} from '../../test/harness/example';
import { sendForm } from '../../test/harness/forms';
import type {
	AcceptedCall,
	AcceptedMessage,
	SentNotification,
	Simulator,
} from '../../simulator/index';
import type { Narrator } from './narrator';
import type { Stage } from './stage';
import { StoryFailed } from './storyFailed';

/** Registered as a test number in the simulator; a last digit of 1 means nobody answers. */
const CUSTOMER = '13800000001';

const LONGEST_WAIT_MS = 30_000;

/**
 * Runs the example from the call to the SMS. Everything it tells comes from n8n's executions and
 * the simulator's record, and each id must be in both.
 *
 * @throws StoryFailed that says which part did not happen
 */
export async function playStory(stage: Stage, narrator: Narrator): Promise<void> {
	const { n8n, simulator, credential } = stage;
	const { rest } = n8n;

	const workflow = await narrator.step(
		'Import the example workflow',
		async () => {
			const imported = await importExample(rest, credential);
			await rest.activate(imported);
			return imported;
		},
		({ name, id }) =>
			`The example "${name}" is imported and active (workflow ${id})\n` +
			`filled in: the credential, template ${EXAMPLE_TEMPLATE} of the simulator`,
	);

	const { execution: calling, accepted: call } = await narrator.step(
		`Call ${CUSTOMER}`,
		async () => {
			const { executionId } = await sendForm(n8n, workflow, [CUSTOMER, ...exampleOrder]);
			const execution = await rest.ended(executionId);
			const { json } = onlyItem(execution, exampleNodes.call);
			const accepted = simulator.accepted().find(isCall(json.callSid));
			if (!accepted) throw new StoryFailed(`The service knows no call ${String(json.callSid)}`);
			return { execution, accepted };
		},
		({ execution, accepted }) =>
			`Execution ${execution.id}: ${accepted.to} is being called\n` +
			`the service accepted it as call ${accepted.callSid}`,
	);

	const { execution, item } = await narrator.step(
		'Wait for the result of the call',
		async () => {
			const delivered = await readResult(simulator, call);
			const execution = await startedByTrigger(stage, workflow, calling.id);
			const item = onlyItem(execution, exampleNodes.trigger).json;
			if (item.callSid !== call.callSid) {
				throw new StoryFailed(`Execution ${execution.id} is about call ${String(item.callSid)}`);
			}
			return { delivered, execution, item };
		},
		({ delivered, execution, item }) =>
			`The service reported the result, and n8n acknowledged it with HTTP ` +
			`${delivered.answer?.httpStatus}\n` +
			`execution ${execution.id} started: outcome ${String(item.outcome)}, ` +
			`answered ${String(item.answered)}`,
	);

	await narrator.step(
		'Look for the SMS',
		async () => {
			if (execution.getRuns(exampleNodes.sms).length === 0) {
				throw new StoryFailed(`No SMS went out: the outcome was ${String(item.outcome)}`);
			}
			const { json } = onlyItem(execution, exampleNodes.sms);
			const message = simulator.accepted().find(isMessage(json.smsMessageSid));
			if (!message) {
				throw new StoryFailed(`The service knows no SMS ${String(json.smsMessageSid)}`);
			}
			return message;
		},
		(message) =>
			`Nobody answered, so an SMS went to ${message.to.join(', ')}\n` +
			`template ${message.templateId} with ${message.datas.join(', ')}; ` +
			`the service accepted it as SMS ${message.smsMessageSid}`,
	);

	await narrator.step(
		'Ask the simulator for violations',
		() => Promise.resolve(objections(simulator)),
		() => {
			const count = simulator.record.requests.length;
			return `The simulator saw ${count} requests and no violation of the service's rules`;
		},
	);
}

function isCall(callSid: unknown) {
	return (one: { kind: string }): one is AcceptedCall =>
		one.kind === 'call' && (one as AcceptedCall).callSid === callSid;
}

function isMessage(smsMessageSid: unknown) {
	return (one: { kind: string }): one is AcceptedMessage =>
		one.kind === 'message' && (one as AcceptedMessage).smsMessageSid === smsMessageSid;
}

/** The call result that the service sent, once the receiver answered. */
async function readResult(
	simulator: Simulator,
	{ callSid }: AcceptedCall,
): Promise<SentNotification> {
	const sent = await awaited('the service to report the result', () =>
		simulator.record.notifications.find(
			(each) => each.callSid === callSid && (each.answer ?? each.error) !== undefined,
		),
	);
	if (!sent.answer) throw new StoryFailed(`n8n did not take the result: ${sent.error}`);
	return sent;
}

async function startedByTrigger(
	{ n8n }: Stage,
	workflow: StoredWorkflow,
	called: string,
): Promise<Execution> {
	const { id } = await awaited('the trigger to start an execution', async () => {
		const executions = await n8n.rest.listExecutions(workflow);
		return executions.find(({ id }) => id !== called);
	});
	return await n8n.rest.ended(id, LONGEST_WAIT_MS);
}

async function awaited<T>(
	what: string,
	ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
	try {
		return await until(what, ask, { timeoutMs: LONGEST_WAIT_MS });
	} catch (error) {
		throw new StoryFailed((error as Error).message);
	}
}

function onlyItem(execution: Execution, nodeName: string): OutputItem {
	const [item] = execution.getItems(nodeName);
	if (item) return item;
	const reason = execution.getRuns(nodeName).at(-1)?.error ?? execution.error;
	const words = reason ? `: ${reason.message}` : '';
	throw new StoryFailed(`"${nodeName}" gave nothing in execution ${execution.id}${words}`);
}

function objections(simulator: Simulator): void {
	const violations = simulator.violations().map(({ words }) => words);
	if (violations.length > 0) throw new StoryFailed(`Rules were violated: ${violations.join('; ')}`);
}

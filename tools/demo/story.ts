import type {
	AcceptedCall,
	AcceptedMessage,
	SentNotification,
	Simulator,
} from '../../simulator/index';
import {
	EXAMPLE_TEMPLATE,
	exampleNodes,
	exampleOrder,
	importExample,
} from '../../test/harness/example';
import { sendForm } from '../../test/harness/forms';
import type { StoredWorkflow } from '../../test/harness/n8nRest';
import type { Execution, OutputItem } from '../../test/harness/storedExecution';
import { until } from '../../test/harness/until';
import type { Narrator, Stage } from './stage';

/** Registered as a test number in the simulator; a last digit of 1 means nobody answers. */
const CUSTOMER = '13800000001';

/**
 * Runs the example from the call to the SMS. Everything it tells comes from n8n's executions and
 * the simulator's record, and each id must be in both.
 *
 * @throws Error that says which part did not happen
 */
export async function playStory(stage: Stage, narrator: Narrator): Promise<void> {
	const { simulator } = stage;
	const workflow = await narrator.step(
		'Import the example workflow',
		() => importActive(stage),
		({ name, id }) =>
			`The example "${name}" is imported and active (workflow ${id})\n` +
			`filled in: the credential, template ${EXAMPLE_TEMPLATE} of the simulator`,
	);
	const placed = await narrator.step(
		`Call ${CUSTOMER}`,
		() => callCustomer(stage, workflow),
		({ execution, call }) =>
			`Execution ${execution.id}: ${call.to} is being called\n` +
			`the service accepted it as call ${call.callSid}`,
	);
	const result = await narrator.step(
		'Wait for the result of the call',
		() => awaitResult(stage, workflow, placed),
		({ delivered, execution, item }) =>
			`The service reported the result, and n8n acknowledged it with HTTP ` +
			`${delivered.answer?.httpStatus}\n` +
			`execution ${execution.id} started: outcome ${String(item.outcome)}, ` +
			`answered ${String(item.answered)}`,
	);
	await narrator.step(
		'Look for the SMS',
		async () => findSms(simulator, result),
		(message) =>
			`Nobody answered, so an SMS went to ${message.to.join(', ')}\n` +
			`template ${message.templateId} with ${message.datas.join(', ')}; ` +
			`the service accepted it as SMS ${message.smsMessageSid}`,
	);
	await narrator.step(
		'Ask the simulator for violations',
		async () => objections(simulator),
		() =>
			`The simulator saw ${simulator.record.requests.length} requests and no violation of the service's rules`,
	);
}

async function importActive({ n8n, credential }: Stage): Promise<StoredWorkflow> {
	const imported = await importExample(n8n.rest, credential);
	await n8n.rest.activate(imported);
	return imported;
}

/** A call that went out, and the execution that made it. */
interface Placed {
	execution: Execution;
	call: AcceptedCall;
}

async function callCustomer({ n8n, simulator }: Stage, workflow: StoredWorkflow): Promise<Placed> {
	const { executionId } = await sendForm(n8n, workflow, [CUSTOMER, ...exampleOrder]);
	const execution = await n8n.rest.ended(executionId);
	const { json } = onlyItem(execution, exampleNodes.call);
	const call = simulator
		.accepted()
		.find((each): each is AcceptedCall => each.kind === 'call' && each.callSid === json.callSid);
	if (!call) throw new Error(`The service knows no call ${String(json.callSid)}`);
	return { execution, call };
}

/** The execution that a result has started, and its item. */
interface Resulted {
	execution: Execution;
	item: OutputItem['json'];
}

async function awaitResult(
	stage: Stage,
	workflow: StoredWorkflow,
	{ execution: { id: calling }, call }: Placed,
): Promise<Resulted & { delivered: SentNotification }> {
	const delivered = await readResult(stage.simulator, call);
	const execution = await startedByTrigger(stage, workflow, calling);
	const item = onlyItem(execution, exampleNodes.trigger).json;
	if (item.callSid !== call.callSid) {
		throw new Error(`Execution ${execution.id} is about call ${String(item.callSid)}`);
	}
	return { delivered, execution, item };
}

function findSms(simulator: Simulator, { execution, item }: Resulted): AcceptedMessage {
	if (execution.getRuns(exampleNodes.sms).length === 0) {
		throw new Error(`No SMS went out: the outcome was ${String(item.outcome)}`);
	}
	const { json } = onlyItem(execution, exampleNodes.sms);
	const { smsMessageSid } = json;
	const message = simulator
		.accepted()
		.find(
			(each): each is AcceptedMessage =>
				each.kind === 'message' && each.smsMessageSid === smsMessageSid,
		);
	if (!message) throw new Error(`The service knows no SMS ${String(smsMessageSid)}`);
	return message;
}

/** The call result that the service sent, once the receiver answered. */
async function readResult(
	simulator: Simulator,
	{ callSid }: AcceptedCall,
): Promise<SentNotification> {
	const sent = await until('the service to report the result', () =>
		simulator.record.notifications.find(
			(each) => each.callSid === callSid && (each.answer ?? each.error) !== undefined,
		),
	);
	if (!sent.answer) throw new Error(`n8n did not take the result: ${sent.error}`);
	return sent;
}

async function startedByTrigger(
	{ n8n }: Stage,
	workflow: StoredWorkflow,
	called: string,
): Promise<Execution> {
	const { id } = await until('the trigger to start an execution', async () => {
		const executions = await n8n.rest.listExecutions(workflow);
		return executions.find((each) => each.id !== called);
	});
	return await n8n.rest.ended(id);
}

function onlyItem(execution: Execution, nodeName: string): OutputItem {
	const [item] = execution.getItems(nodeName);
	if (item) return item;
	const reason = execution.getRuns(nodeName).at(-1)?.error ?? execution.error;
	const words = reason ? `: ${reason.message}` : '';
	throw new Error(`"${nodeName}" gave nothing in execution ${execution.id}${words}`);
}

function objections(simulator: Simulator): void {
	const violations = simulator.violations().map(({ words }) => words);
	if (violations.length > 0) throw new Error(`Rules were violated: ${violations.join('; ')}`);
}

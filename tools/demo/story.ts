import type { Acceptance } from '../../simulator/index';
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
import { CREDENTIAL_TYPE, credentialData, type World } from '../../test/harness/world';

/** Registered as a test number in the simulator; a last digit of 1 means nobody answers. */
const CUSTOMER = '13800000001';

/**
 * Runs the example from the call to the SMS. Everything it tells comes from n8n's executions and
 * the simulator's record, and each id must be in both.
 *
 * @param say tells a line
 * @throws Error that says which part did not happen
 */
export async function playStory(world: World, say: (text: string) => void): Promise<void> {
	const { n8n, simulator, credential } = world;
	say(` 1. n8n has started with the package, at ${n8n.url}; the service is a simulator`);
	say(` 2. n8n's own test of the credential says: ${await testCredential(world)}`);

	const workflow = await importExample(n8n.rest, credential);
	await n8n.rest.activate(workflow);
	say(` 3. The example "${workflow.name}" is imported and active`);
	say(`    filled in: the credential, template ${EXAMPLE_TEMPLATE} of the simulator`);

	const { executionId } = await sendForm(n8n, workflow, [CUSTOMER, ...exampleOrder]);
	const calling = await n8n.rest.ended(executionId);
	const call = findAccepted(world, 'call', getItem(calling, exampleNodes.call));
	say(` 4. Execution ${executionId}: ${call.to} is being called, as call ${call.callSid}`);

	const resulted = await findResulted(world, workflow, executionId);
	const { callSid, outcome, answered } = getItem(resulted, exampleNodes.trigger);
	if (callSid !== call.callSid) throw new Error(`The result is about call ${String(callSid)}`);
	say(` 5. The service reported the result, and execution ${resulted.id} started`);
	say(`    outcome ${String(outcome)}, answered ${String(answered)}`);

	const message = findAccepted(world, 'message', getItem(resulted, exampleNodes.sms));
	say(` 6. So an SMS went to ${message.to.join(', ')}, as SMS ${message.smsMessageSid}`);
	say(`    template ${message.templateId} with ${message.datas.join(', ')}`);

	const violations = simulator.violations().map(({ words }) => words);
	if (violations.length > 0) throw new Error(`Rules were violated: ${violations.join('; ')}`);
	say(
		` 7. The simulator saw ${simulator.record.requests.length} requests and no violation of its rules`,
	);
}

async function testCredential({ n8n, simulator, credential }: World): Promise<string> {
	const { id, name } = credential;
	const data = credentialData(simulator);
	const { status, message } = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, name, data);
	if (status !== 'OK') throw new Error(`n8n's test of the credential says: ${message}`);
	return message;
}

/** The execution that the result of a call has started. */
async function findResulted({ n8n }: World, workflow: StoredWorkflow, calling: string) {
	const { id } = await until('the trigger to start an execution', async () => {
		const executions = await n8n.rest.listExecutions(workflow);
		return executions.find((each) => each.id !== calling);
	});
	return await n8n.rest.ended(id);
}

/** What a node put out. */
function getItem(execution: Execution, nodeName: string): OutputItem['json'] {
	const [item] = execution.getItems(nodeName);
	if (item) return item.json;
	const { message = 'it did not run' } =
		execution.getRuns(nodeName).at(-1)?.error ?? execution.error ?? {};
	throw new Error(`"${nodeName}" gave nothing in execution ${execution.id}: ${message}`);
}

/** The call or SMS that the service accepted under the ID that a node put out. */
function findAccepted<K extends Acceptance['kind']>(
	{ simulator }: World,
	kind: K,
	{ callSid, smsMessageSid }: OutputItem['json'],
): Extract<Acceptance, { kind: K }> {
	const id = kind === 'call' ? callSid : smsMessageSid;
	const found = simulator
		.accepted()
		.find(
			(each): each is Extract<Acceptance, { kind: K }> =>
				each.kind === kind && Object.values(each).includes(id),
		);
	if (!found) throw new Error(`The service knows no ${kind} ${String(id)}`);
	return found;
}

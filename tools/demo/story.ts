import type { Acceptance } from '../../simulator/index';
import { importExample, readExample, sendForm } from '../../test/harness/examples';
import type { StoredWorkflow } from '../../test/harness/n8nRest';
import { CREDENTIAL_TYPE, credentialData, type Setup } from '../../test/harness/setup';
import type { Execution, OutputItem } from '../../test/harness/storedExecution';
import { until } from '../../test/harness/until';

/** Names of the nodes in the example. */
const NODES = { call: 'Call Customer', trigger: 'Call Result', sms: 'Text Customer' } as const;

/** A template of the simulator with two variables, as the example's SMS has them. */
const TEMPLATE = '100002';

/** Registered as a test number in the simulator; a last digit of 1 means nobody answers. */
const CUSTOMER = '13800000001';

/**
 * Runs the example from the call to the SMS. Everything it tells comes from n8n's executions and
 * the simulator's record, and each id must be in both.
 *
 * @param say tells a line
 * @throws Error that says which part did not happen
 */
export async function playStory(setup: Setup, say: (text: string) => void): Promise<void> {
	const { n8n, simulator } = setup;
	say(` 1. n8n has started with the package, at ${n8n.url}; the service is a simulator`);
	say(` 2. n8n's own test of the credential says: ${await testCredential(setup)}`);

	const example = await readExample('missed-call-sends-sms.json');
	const filledIn = { [NODES.sms]: { templateId: TEMPLATE } };
	const workflow = await importExample(setup, example, filledIn);
	await n8n.rest.activate(workflow);
	say(` 3. The example "${workflow.name}" is imported and active`);
	say(`    filled in: the credential, template ${TEMPLATE} of the simulator`);

	const { executionId } = await sendForm(setup, workflow, [CUSTOMER, '1042', '30']);
	const calling = await n8n.rest.ended(executionId);
	const call = findAccepted(setup, 'call', getItem(calling, NODES.call));
	say(` 4. Execution ${executionId}: ${call.to} is being called, as call ${call.callSid}`);

	const resulted = await findResulted(setup, workflow, executionId);
	const { callSid, outcome, answered } = getItem(resulted, NODES.trigger);
	if (callSid !== call.callSid) throw new Error(`The result is about call ${String(callSid)}`);
	say(` 5. The service reported the result, and execution ${resulted.id} started`);
	say(`    outcome ${String(outcome)}, answered ${String(answered)}`);

	const message = findAccepted(setup, 'message', getItem(resulted, NODES.sms));
	say(` 6. So an SMS went to ${message.to.join(', ')}, as SMS ${message.smsMessageSid}`);
	say(`    template ${message.templateId} with ${message.datas.join(', ')}`);

	const violations = simulator.violations().map(({ words }) => words);
	if (violations.length > 0) throw new Error(`Rules were violated: ${violations.join('; ')}`);
	say(
		` 7. The simulator saw ${simulator.record.requests.length} requests and no violation of its rules`,
	);
}

async function testCredential({ n8n, simulator, credential }: Setup): Promise<string> {
	const { id, name } = credential;
	const data = credentialData(simulator);
	const { status, message } = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, name, data);
	if (status !== 'OK') throw new Error(`n8n's test of the credential says: ${message}`);
	return message;
}

/** The execution that the result of a call has started. */
async function findResulted({ n8n }: Setup, workflow: StoredWorkflow, calling: string) {
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
	{ simulator }: Setup,
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

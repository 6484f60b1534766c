/**
 * Shows the package at work in a real n8n, against a simulator of the service:
 *
 *     npm run demo [-- --once] [--language zh-CN]
 *
 * Leaves the editor open until Ctrl-C, unless it plays `--once`; then the exit code is 0 if all went well.
 */
import { parseArgs } from 'node:util';
import { listCalls, listTexts } from '../test/harness/calls';
import { importExample, readExample, sendForm } from '../test/harness/examples';
import { DEFAULT_LANGUAGE, findTarball, packTarball } from '../test/harness/pack';
import {
	credentialData,
	CREDENTIAL_TYPE,
	startSetup,
	versionsToTest,
	type Setup,
	type Stoppable,
} from '../test/harness/setup';
import { demoLogin } from '../test/harness/startN8n';
import type { Execution, OutputItem } from '../test/harness/storedExecution';
import { until } from '../test/harness/until';
import { newestSupported } from '../test/harness/versions';

const OPTIONS = {
	once: { type: 'boolean', default: false },
	language: { type: 'string', default: DEFAULT_LANGUAGE },
} as const;

/** Exit code of a program that Ctrl-C ended early. */
const INTERRUPTED = 130;

/** A template of the simulator with two variables, as the example's SMS has them. */
const TEMPLATE = '100002';
/** Registered as a test number in the simulator; a last digit of 1 means nobody answers. */
const CUSTOMER = '13800000001';

const say = (text: string): void => console.log(text);

async function open(language: string): Promise<Setup & Stoppable> {
	const [version] = versionsToTest([newestSupported]);
	say(` 0. Packing the package, and starting n8n ${version} with it`);
	const tarball = await (language === DEFAULT_LANGUAGE ? findTarball() : packTarball(language));
	const service = { tell: (line: string) => say(`     ${line}`) };
	return await startSetup(version, { tarball, service });
}

/**
 * Runs the example from the call to the SMS. What it prints comes from n8n's executions, and has to match the
 * simulator's record.
 *
 * @throws Error that says which part did not happen
 */
async function playStory(setup: Setup): Promise<void> {
	const { n8n, simulator } = setup;
	say(` 1. n8n has started with the package, at ${n8n.url}; the service is a simulator`);
	say(` 2. n8n's own test of the credential says: ${await testCredential(setup)}`);

	const example = await readExample('missed-call-sends-sms.json');
	const filledIn = { 'Text Customer': { templateId: TEMPLATE } };
	const workflow = await importExample(setup, example, filledIn);
	await n8n.rest.activate(workflow);
	say(` 3. The example "${workflow.name}" is imported and active`);
	say(`    filled in: the credential, template ${TEMPLATE} of the simulator`);

	const { executionId } = await sendForm(setup, workflow, [CUSTOMER, '1042', '30']);
	const { callSid } = getItem(await n8n.rest.ended(executionId), 'Call Customer');
	const call = findMade(listCalls(simulator), (each) => each.callSid === callSid);
	say(` 4. Execution ${executionId}: ${call.to} is being called, as call ${call.callSid}`);

	const { id } = await until('the trigger to start an execution', async () => {
		const executions = await n8n.rest.listExecutions(workflow);
		return executions.find((each) => each.id !== executionId);
	});
	const resulted = await n8n.rest.ended(id);
	const result = getItem(resulted, 'Call Result');
	if (result.callSid !== callSid) throw new Error(`The result is about ${String(result.callSid)}`);
	say(` 5. The service reported the result, and execution ${id} started`);
	say(`    outcome ${String(result.outcome)}, answered ${String(result.answered)}`);

	const { smsMessageSid } = getItem(resulted, 'Text Customer');
	const sms = findMade(listTexts(simulator), (each) => each.smsMessageSid === smsMessageSid);
	say(` 6. So an SMS went to ${sms.to.join(', ')}, as SMS ${sms.smsMessageSid}`);
	say(`    template ${sms.templateId} with ${sms.datas.join(', ')}`);

	const violations = simulator.violations().map(({ words }) => words);
	if (violations.length > 0) throw new Error(`Rules were violated: ${violations.join('; ')}`);
	const { length } = simulator.record.requests;
	say(` 7. The simulator saw ${length} requests and no violation of its rules`);
}

async function testCredential({ n8n, simulator, credential }: Setup): Promise<string> {
	const { id, name } = credential;
	const data = credentialData(simulator);
	const { status, message } = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, name, data);
	if (status !== 'OK') throw new Error(`n8n's test of the credential says: ${message}`);
	return message;
}

/** The output of a node. */
function getItem(execution: Execution, name: string): OutputItem['json'] {
	const [item] = execution.getItems(name);
	if (item) return item.json;
	const { message = 'it did not run' } = execution.getRuns(name).at(-1)?.error ?? {};
	throw new Error(`"${name}" gave nothing in execution ${execution.id}: ${message}`);
}

/** The call or SMS that the service accepted under the ID in a node's output. */
function findMade<T>(accepted: T[], isIt: (each: T) => boolean): T {
	const found = accepted.find(isIt);
	if (!found) throw new Error('The service knows nothing of the ID');
	return found;
}

const describeEditor = ({ n8n: { url } }: Setup): string => `
Look at it in the editor:   ${url}
log in with                 ${demoLogin.email}  /  ${demoLogin.password}
What the service sees stands below. Press Ctrl-C to end; nothing stays behind.
`;

async function main(): Promise<number> {
	const { values: options } = parseArgs({ options: OPTIONS });
	const interruption = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			// Not once: Ctrl-C arrives twice, from the terminal and from the program that started this one.
			process.on(signal, () => resolve('interrupted'));
		}
	});
	let setup: (Setup & Stoppable) | undefined;
	const play = async (): Promise<Setup> => {
		setup = await open(options.language);
		await playStory(setup);
		return setup;
	};
	try {
		say('A call that nobody answers becomes an SMS, in a real n8n:\n');
		const outcome = await Promise.race([play(), interruption]);
		if (outcome === 'interrupted') return INTERRUPTED;
		say('\nAll of it happened: the call, its result, and the SMS.');
		if (!options.once) {
			say(describeEditor(outcome));
			await interruption;
		}
		return 0;
	} catch (error) {
		say(`\nThe demo stopped here: ${(error as Error).message}`);
		return 1;
	} finally {
		await setup?.stop();
	}
}

void main().then((exitCode) => process.exit(exitCode));

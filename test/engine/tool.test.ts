import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { useDeduplication } from '../support/deduplication';
import { connect, execute, getRuns, node, RETRY, TYPES } from '../support/engine';
import { EXAMPLE_NUMBER, exampleForm, toParameters } from '../support/exampleForms';
import { getJson, operation } from '../support/expectations';
import { expectNoSecrets } from '../support/secrets';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();

/** Lets an agent use the node as its tool, once for each list of arguments. */
async function asked(
	parameters: INodeParameters,
	questions: object[] = [{}],
	settings = {},
): Promise<string[]> {
	const connections = connect(['Start', 'Agent']);
	connections.Yuntongxun = {
		[NodeConnectionTypes.AiTool]: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]],
	};
	const nodes = [
		node('Start', TYPES.start, { items: '[{}]' }),
		node('Agent', TYPES.agent, { items: JSON.stringify(questions) }),
		node('Yuntongxun', TYPES.tool, parameters, settings),
	];
	const run = await execute(nodes, connections, service.credential());
	expectNoSecrets(run, service.simulator);
	return getJson(getRuns(run, 'Agent')[0]).map(({ answer }) => String(answer));
}

/** The newer agents do not run a tool themselves: they let the engine run it as a node. */
async function runByEngine(parameters: INodeParameters): Promise<string[]> {
	const run = await service.run(parameters, { type: TYPES.tool });
	expectNoSecrets(run, service.simulator);
	return [run.error ? run.error.message : JSON.stringify(getJson(run))];
}

describe.each<[string, (parameters: INodeParameters) => Promise<string[]>]>([
	['an agent', asked],
	['the engine', runByEngine],
])('as a tool run by %s', (_, use) => {
	// Which operation keeps what from an agent: test/unit/resources/agents.test.ts.
	it('creates a sub-account without telling its secrets, and closes none', async () => {
		const [created] = await use(toParameters(exampleForm('subAccount', 'create')));
		expect(created).toMatch(/^\[\{.*"subAccountSid".*\}\]$/s);
		expect(created).not.toMatch(/subToken|voipPwd/);
		const [refused] = await use(toParameters(exampleForm('subAccount', 'close')));
		expect(refused).toMatch(/An AI agent cannot close a sub-account/);
		expect(service.simulator.record.requests).toHaveLength(1);
	});
});

describe('when an agent uses the tool several times', () => {
	const to = "={{ $fromAI('to', 'Number to call') }}";
	const call = operation('call', 'notify', { to, mediaTxt: 'Hello' });
	const reached = () => service.simulator.record.requests.map(({ fields }) => fields.to);

	it('each use places its call, even with the same arguments', async () => {
		const numbers = [EXAMPLE_NUMBER, EXAMPLE_NUMBER, '13900000005'];
		const questions = numbers.map((number) => ({ to: number }));
		const answers = await asked(call, questions, RETRY);
		expect(reached()).toEqual(numbers);
		expect(answers.map((answer) => JSON.parse(answer) as unknown)).toMatchObject(
			numbers.map((number) => [{ to: number }]),
		);
		expect(new Set(answers).size).toBe(3);
	});

	it('a call whose answer was lost is not repeated, and the next one is placed', async () => {
		service.simulator.fail({ kind: 'reset', accept: true });
		const questions = [{ to: EXAMPLE_NUMBER }, { to: EXAMPLE_NUMBER }];
		const [lost, placed] = await asked(call, questions, RETRY);
		expect(reached()).toEqual([EXAMPLE_NUMBER, EXAMPLE_NUMBER]);
		expect(lost).toMatch(/nobody can tell/i);
		expect(placed).toContain('000000');
	});
});

import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { EXAMPLE_FORMS, toParameters } from '../support/exampleForms';
import { useDeduplication } from '../support/deduplication';
import { connect, execute, node, getRuns, RETRY, TYPES } from '../support/engine';
import type { NodeSettings } from '../support/engine';
import { getJson, operation } from '../support/expectations';
import { expectNoSecrets } from '../support/secrets';
import { useSimulator } from '../support/simulator';

const service = useSimulator();
useDeduplication();
const NUMBER = '13800000005';

/** Lets an agent use the node as its tool, once for each list of arguments. */
async function asked(
	parameters: INodeParameters,
	questions: object[] = [{}],
	settings: NodeSettings = {},
): Promise<string[]> {
	const connections = connect(['Start', 'Agent']);
	connections.Yuntongxun = {
		[NodeConnectionTypes.AiTool]: [[{ node: 'Agent', type: NodeConnectionTypes.AiTool, index: 0 }]],
	};
	const run = await execute(
		[
			node('Start', TYPES.start, { items: '[{}]' }),
			node('Agent', TYPES.agent, { items: JSON.stringify(questions) }),
			node('Yuntongxun', TYPES.tool, parameters, settings),
		],
		connections,
		service.credential(),
	);
	expectNoSecrets(run, service.simulator);
	const [agent] = getRuns(run, 'Agent');
	return getJson(agent).map(({ answer }) => String(answer));
}

/** The newer agents do not run a tool themselves: they let the engine run it as a node. */
async function runByEngine(parameters: INodeParameters): Promise<string[]> {
	const run = await service.run(parameters, { type: TYPES.tool });
	expectNoSecrets(run, service.simulator);
	return [run.error ? run.error.message : JSON.stringify(getJson(run))];
}

const WAYS: Array<[string, (parameters: INodeParameters) => Promise<string[]>]> = [
	['an agent', async (parameters) => await asked(parameters)],
	['the engine', runByEngine],
];

/** What an agent must not do, and how it is told. */
const REFUSED: Record<string, RegExp> = {
	'subAccount.close': /An AI agent cannot close a sub-account/,
};

describe.each(WAYS)('as a tool run by %s', (_, use) => {
	it.each(EXAMPLE_FORMS.map((form) => [`${form.resource}.${form.operation}`, form] as const))(
		'answers about %s, or refuses it, without a secret',
		async (name, form) => {
			service.simulator.seedSubAccounts(1);
			const [answer] = await use(toParameters(form));
			expect(answer).toMatch(REFUSED[name] ?? /^\[\{.*\}\]$/s);
			if (name in REFUSED) expect(service.simulator.record.requests).toEqual([]);
		},
	);

	it('judges what the model filled into an ID', async () => {
		const form = (id: string) =>
			operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello' }, { idempotencyKey: `=${id}` });
		const [gap] = await use(form("order-{{ $fromAI('id', '', 'string', '') }}"));
		expect(gap).toContain("'Send Once per ID' has an expression that gives nothing");
		const [sent] = await use(form("order-{{ $fromAI('id', '', 'string', '7') }}"));
		expect(sent).toContain('000000');
	});
});

describe('several uses by one agent', () => {
	const call = operation('call', 'notify', {
		to: "={{ $fromAI('to', 'Number to call') }}",
		mediaTxt: 'Hello',
	});
	const reached = () => service.simulator.record.requests.map(({ fields }) => fields.to);

	it('each places its call, also with the same arguments', async () => {
		const questions = [{ to: NUMBER }, { to: NUMBER }, { to: '13900000005' }];
		const answers = await asked(call, questions, RETRY);
		expect(reached()).toEqual(questions.map(({ to }) => to));
		expect(answers.map((answer) => (JSON.parse(answer) as Array<{ to: string }>)[0].to)).toEqual(
			questions.map(({ to }) => to),
		);
		expect(new Set(answers).size).toBe(3);
	});

	it('uses without arguments of their own too', async () => {
		const fixed = operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello' });
		await asked(fixed, [{}, {}], RETRY);
		expect(reached()).toEqual([NUMBER, NUMBER]);
	});

	it('one that was lost is not repeated, the next is placed', async () => {
		service.simulator.fail({ kind: 'reset', accept: true });
		const [lost, placed] = await asked(call, [{ to: NUMBER }, { to: NUMBER }], RETRY);
		expect(reached()).toEqual([NUMBER, NUMBER]);
		expect(lost).toMatch(/nobody can tell/i);
		expect(placed).toContain('000000');
	});
});

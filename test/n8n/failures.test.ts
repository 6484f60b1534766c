import { ACTION, actionWorkflow, AFTER, ON_ERROR, START } from './support/workflows';
import { describeOnEachN8n } from './support/world';

/** The service has no template with this id. */
const NO_SUCH_TEMPLATE = '999999';

/** Three messages of which the second has a template the service does not know. */
const items = [
	{ phone: '13800000000', template: '100001' },
	{ phone: '13900000000', template: NO_SUCH_TEMPLATE },
	{ phone: '13700000000', template: '100001' },
];

const parameters = {
	resource: 'sms',
	operation: 'send',
	to: '={{ $json.phone }}',
	templateId: '={{ $json.template }}',
	datas: ['42'],
};

const failure = {
	message: expect.stringMatching(/template/i) as unknown,
	statusCode: expect.stringMatching(/^\d{6}$/) as unknown,
	statusMsg: expect.stringMatching(/\S/) as unknown,
	accepted: 'no',
	to: '13900000000',
};

describeOnEachN8n('A failing item', (world) => {
	beforeEach(() => world().simulator.reset());

	async function run(onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput') {
		const { n8n, credential } = world();
		const workflow = await n8n.rest.createWorkflow(
			actionWorkflow(credential, parameters, { items, onError }),
		);
		return await n8n.rest.runToEnd(workflow, START);
	}

	test('stays in its place among the others with Continue', async () => {
		const execution = await run('continueRegularOutput');
		expect(execution.status).toBe('success');
		const output = execution.itemsOf(ACTION);
		expect(output).toHaveLength(3);
		expect(output[0].json).toMatchObject({ statusCode: '000000', to: '13800000000' });
		expect(output[1].json).toEqual({ error: failure });
		expect(output[1]).not.toHaveProperty('error');
		expect(output[1].pairedItem).toMatchObject({ item: 1 });
		expect(output[2].json).toMatchObject({ statusCode: '000000', to: '13700000000' });
	});

	test('goes to the error output with the fields of its input', async () => {
		const execution = await run('continueErrorOutput');
		expect(execution.status).toBe('success');
		expect(execution.itemsOf(AFTER)).toHaveLength(2);
		const [failed, ...others] = execution.itemsOf(ON_ERROR);
		expect(others).toEqual([]);
		expect(failed.json).toEqual({ ...items[1], error: failure });
	});

	test('stops the workflow, says which item it was, and what was sent', async () => {
		const execution = await run('stopWorkflow');
		expect(execution.status).toBe('error');
		expect(execution.nodesRun).not.toContain(AFTER);
		expect(execution.error?.message).toMatch(/template.*\[item 1\]$/is);
		expect(execution.error?.httpCode).toMatch(/^\d{6}$/);
		const { accepted, notAttempted } = execution.error?.context ?? {};
		const sent = (accepted as Array<{ itemIndex: number }>).map(({ itemIndex }) => itemIndex);
		expect([...sent, ...(notAttempted as number[])].sort()).toEqual([0, 2]);
		expect(world().simulator.accepted()).toHaveLength(sent.length);
	});
});

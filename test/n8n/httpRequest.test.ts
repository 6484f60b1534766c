import type { WorkflowDefinition } from './harness/n8nRest';
import { httpRequestNode, node, START, to } from './support/workflows';
import { CREDENTIAL_TYPE, describeOnEachN8n } from './support/world';

const HTTP = 'HTTP Request';

describeOnEachN8n("n8n's HTTP Request node with our credential", (world) => {
	function workflowFor(url: string): WorkflowDefinition {
		const request = httpRequestNode(url, {
			Accept: 'application/json',
			'Content-Type': 'application/json;charset=utf-8',
			'Content-Length': '0',
		});
		return {
			name: 'HTTP Request with the credential',
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger'),
				{ ...request, credentials: { [CREDENTIAL_TYPE]: world().credential } },
			],
			connections: { [START]: { main: [to(HTTP)] } },
		};
	}

	async function run(url: string) {
		const { rest } = world().n8n;
		const workflow = await rest.createWorkflow(workflowFor(url));
		return await rest.runToEnd(workflow, START);
	}

	beforeEach(() => world().simulator.reset());

	test('reads the account, signed and within the rules', async () => {
		const { simulator } = world();
		const { accountSid } = simulator.credentials;
		const execution = await run(`${simulator.url}/2013-12-26/Accounts/${accountSid}/AccountInfo`);
		expect(execution.error).toBeUndefined();
		expect(execution.itemsOf(HTTP)[0].json).toMatchObject({
			statusCode: '000000',
			Account: { status: '1' },
		});
		expect(simulator.violations()).toEqual([]);
	});

	test('is not signed for another host', async () => {
		const { simulator } = world();
		const elsewhere = simulator.url.replace('localhost', '127.0.0.1');
		const { accountSid } = simulator.credentials;
		const execution = await run(`${elsewhere}/2013-12-26/Accounts/${accountSid}/AccountInfo`);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(/host|base URL/i);
		expect(simulator.record.requests).toHaveLength(0);
	});
});

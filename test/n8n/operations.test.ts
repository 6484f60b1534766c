import type { OutputItem } from './harness/execution';
import { ACTION, actionWorkflow, START } from './support/workflows';
import { describeOnEachN8n } from './support/world';

interface OperationCase {
	resource: string;
	operation: string;
	parameters: Record<string, unknown>;
	/** Members of the first item's json. */
	gives: Record<string, unknown>;
	/** Requests that this takes. */
	requests: number;
}

const text = expect.stringMatching(/\S/) as unknown;
const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+08:00$/) as unknown;

const subAccount = {
	statusCode: '000000',
	subAccountSid: text,
	subToken: text,
	voipAccount: text,
	voipPwd: text,
	createdAt: moment,
};

const cases: OperationCase[] = [
	{
		resource: 'call',
		operation: 'notify',
		parameters: { to: '13800000000', content: 'text', mediaTxt: '您的订单 <42> & 已发货' },
		gives: { statusCode: '000000', callSid: text, createdAt: moment, to: '13800000000' },
		requests: 1,
	},
	{
		resource: 'call',
		operation: 'verify',
		parameters: { to: '13800000000', voice: 'default', codeSource: 'given', verifyCode: '048213' },
		gives: { statusCode: '000000', callSid: text, createdAt: moment, to: '13800000000' },
		requests: 1,
	},
	{
		resource: 'sms',
		operation: 'send',
		parameters: { to: '13800000000', templateId: '100002', datas: ['王 & Söhne', '10'] },
		gives: { statusCode: '000000', smsMessageSid: text, createdAt: moment, to: '13800000000' },
		requests: 1,
	},
	{
		resource: 'account',
		operation: 'get',
		parameters: {},
		gives: { statusCode: '000000', typeName: 'Registered', statusName: 'Activated' },
		requests: 1,
	},
	{
		resource: 'subAccount',
		operation: 'create',
		parameters: { friendlyName: 'shop1@example.com' },
		gives: { ...subAccount, friendlyName: 'shop1@example.com', created: true },
		requests: 1,
	},
];

describeOnEachN8n('The operations', (world) => {
	beforeEach(() => world().simulator.reset());

	async function run(parameters: Record<string, unknown>): Promise<OutputItem[]> {
		const { n8n, credential } = world();
		const workflow = await n8n.rest.createWorkflow(actionWorkflow(credential, parameters));
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.error).toBeUndefined();
		expect(execution.status).toBe('success');
		return execution.itemsOf(ACTION);
	}

	/** Runs an operation and checks that the service had nothing to object to. */
	async function runCleanly(
		wireFormat: string,
		parameters: Record<string, unknown>,
		requests: number,
	): Promise<OutputItem[]> {
		const { record, violations } = world().simulator;
		const before = record.requests.length;
		const items = await run({ ...parameters, options: { wireFormat } });
		const sent = record.requests.slice(before);
		expect(violations()).toEqual([]);
		expect(sent).toHaveLength(requests);
		for (const request of sent) expect(request.answerFormat).toBe(wireFormat);
		return items;
	}

	describe.each(['json', 'xml'])('in %s', (wireFormat) => {
		test.each(cases)('$resource $operation', async ({ parameters, gives, requests, ...which }) => {
			const items = await runCleanly(wireFormat, { ...which, ...parameters }, requests);
			expect(items).toHaveLength(1);
			expect(items[0].json).toMatchObject(gives);
			expect(items[0].pairedItem).toMatchObject({ item: 0 });
		});

		test('subAccount getByName, getAll and close, on the same sub-account', async () => {
			const friendlyName = 'shop2@example.com';
			await run({ resource: 'subAccount', operation: 'create', friendlyName });

			const [found] = await runCleanly(
				wireFormat,
				{ resource: 'subAccount', operation: 'getByName', friendlyName },
				1,
			);
			expect(found.json).toMatchObject({ ...subAccount, friendlyName });

			const listed = await runCleanly(
				wireFormat,
				{ resource: 'subAccount', operation: 'getAll', returnAll: true },
				1,
			);
			const { subAccountSid } = found.json;
			expect(listed.map(({ json }) => json)).toMatchObject([
				{ subAccountSid, friendlyName, totalCount: '1' },
			]);

			const [closed] = await runCleanly(
				wireFormat,
				{
					resource: 'subAccount',
					operation: 'close',
					subAccountSid: { __rl: true, mode: 'id', value: subAccountSid },
				},
				1,
			);
			expect(closed.json).toEqual({ statusCode: '000000', subAccountSid, closed: true });
		});

		test('subAccount getAll turns the pages of a long list', async () => {
			world().simulator.seedSubAccounts(230);
			const items = await runCleanly(
				wireFormat,
				{ resource: 'subAccount', operation: 'getAll', returnAll: true },
				3,
			);
			expect(new Set(items.map(({ json }) => json.subAccountSid)).size).toBe(230);
		});
	});

	test('neither the token nor the signature is stored with an execution', async () => {
		const { n8n, simulator, credential } = world();
		simulator.fail({ kind: 'statusCode', statusCode: '111109' });
		const workflow = await n8n.rest.createWorkflow(
			actionWorkflow(credential, { resource: 'account', operation: 'get' }),
		);
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.status).toBe('error');
		const [request] = simulator.record.requests;
		const sig = new URLSearchParams(request.query).get('sig') ?? '';
		const authorization = String(request.headers.authorization);
		expect(sig).toHaveLength(32);
		for (const secret of [simulator.credentials.authToken, sig, authorization]) {
			expect(execution.storedText).not.toContain(secret);
			expect(n8n.log).not.toContain(secret);
		}
	});
});

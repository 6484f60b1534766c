import { EXAMPLE_FORMS, EXAMPLE_NUMBER, parametersOf } from '../support/exampleForms';
import type { OutputItem } from './harness/execution';
import { ACTION, actionWorkflow, START } from './support/workflows';
import { describeOnEachN8n } from './support/world';

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

const call = { statusCode: '000000', callSid: text, createdAt: moment, to: EXAMPLE_NUMBER };

/** Members of the first item's json, by operation. */
const GIVES: Record<string, Record<string, unknown>> = {
	'call.notify': call,
	'call.verify': call,
	'sms.send': { statusCode: '000000', smsMessageSid: text, createdAt: moment, to: EXAMPLE_NUMBER },
	'account.get': { statusCode: '000000', typeName: 'Registered', statusName: 'Activated' },
	'subAccount.create': { ...subAccount, friendlyName: 'shop1@example.com', created: true },
	'subAccount.getByName': subAccount,
	'subAccount.getAll': { subAccountSid: text, totalCount: '1' },
	'verificationCode.create': { verifyCode: text, verificationToken: text, to: EXAMPLE_NUMBER },
	'verificationCode.check': { valid: false, reason: 'forged' },
};

/** Closing a sub-account needs one that is there: it has a test of its own. */
const cases = EXAMPLE_FORMS.filter(({ operation }) => operation !== 'close').map((form) => {
	const name = `${form.resource}.${form.operation}`;
	return { name, form, gives: GIVES[name] };
});

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
		test.each(cases)('$name', async ({ form, gives }) => {
			if (/^getBy|^getAll/.test(form.operation)) world().simulator.seedSubAccounts(1);
			const requests = form.endpoint === undefined ? 0 : 1;
			const items = await runCleanly(wireFormat, parametersOf(form), requests);
			expect(items).toHaveLength(1);
			expect(gives).toBeDefined();
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

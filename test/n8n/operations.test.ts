import { EXAMPLE_FORMS, EXAMPLE_NUMBER, parametersOf } from '../support/exampleForms';
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
	'verificationCode.send': { ...call, channel: 'call', verificationToken: text, expiresAt: text },
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

	test.each(cases)('$name', async ({ form, gives }) => {
		const { n8n, simulator, credential } = world();
		if (/^getBy|^getAll/.test(form.operation)) simulator.seedSubAccounts(1);
		const before = simulator.record.requests.length;
		const workflow = await n8n.rest.createWorkflow(
			actionWorkflow(credential, parametersOf(form, { wireFormat: 'xml' })),
		);
		const execution = await n8n.rest.runToEnd(workflow, START);
		expect(execution.error).toBeUndefined();
		const sent = simulator.record.requests.slice(before);
		expect(simulator.violations()).toEqual([]);
		expect(sent.map(({ operation }) => operation)).toEqual(form.endpoint ? [form.endpoint] : []);
		const items = execution.itemsOf(ACTION);
		expect(items).toHaveLength(1);
		expect(gives).toBeDefined();
		expect(items[0].json).toMatchObject(gives);
		expect(items[0].pairedItem).toMatchObject({ item: 0 });
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

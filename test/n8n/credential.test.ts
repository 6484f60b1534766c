import { freePorts } from './harness/freePorts';
import { credentialData, CREDENTIAL_TYPE, describeOnEachN8n } from './support/world';

describeOnEachN8n('The credential test', (world) => {
	async function tested(changes: Parameters<typeof credentialData>[1]) {
		const { n8n, simulator } = world();
		const data = credentialData(simulator, changes);
		const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
		return await n8n.rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
	}

	beforeEach(() => world().simulator.reset());

	test('passes with the right values, and keeps to the rules of the service', async () => {
		expect(await tested({})).toMatchObject({ status: 'OK' });
		expect(world().simulator.violations()).toEqual([]);
	});

	test('says that the token is wrong', async () => {
		const result = await tested({ authToken: 'x'.repeat(32) });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/token/i) });
	});

	test('says that the account does not exist', async () => {
		const result = await tested({ accountSid: 'nobody'.padEnd(32, '0') });
		expect(result).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/account.*(exist|found|known)/i),
		});
	});

	test('refuses a base URL that is not HTTPS, and sends nothing', async () => {
		const { simulator } = world();
		const result = await tested({ baseUrl: simulator.url.replace('https:', 'http:') });
		expect(result).toMatchObject({ status: 'Error', message: expect.stringMatching(/https/i) });
		expect(simulator.record.requests).toHaveLength(0);
		expect(simulator.record.connectionViolations).toHaveLength(0);
	});

	// These two messages are n8n's own; 2.x shows nothing but the code of Node.js.
	test('says so when nobody answers at the base URL', async () => {
		const [port] = await freePorts(1);
		const result = await tested({ baseUrl: `https://localhost:${port}` });
		expect(result.status).toBe('Error');
		expect(result.message).toMatch(/refused the connection|^ECONNREFUSED$/);
	});
});

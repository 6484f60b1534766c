import type { INodeParameters } from 'n8n-workflow';

import { applicationId } from '../../simulator/index';
import { getJson, operation } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();

describe('Create', () => {
	const create = async (onDuplicate: string, more: INodeParameters = {}) =>
		await service.run(
			operation('subAccount', 'create', { friendlyName: 'one', onDuplicate, ...more }),
		);
	const operations = () => service.simulator.record.requests.map((each) => each.operation);

	it('returns the existing one where it is told to', async () => {
		const [first] = getJson(await create('returnExisting'));
		expect(first.created).toBe(true);
		const [second] = getJson(await create('returnExisting'));
		expect(second).toEqual({ ...first, created: false });
		expect(operations()).toEqual(['SubAccounts', 'SubAccounts', 'QuerySubAccountByName']);
		expect(service.simulator.accepted()).toHaveLength(1);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('returns the existing one whatever the code of the refusal is', async () => {
		await create('error');
		service.simulator.fail({ kind: 'statusCode', statusCode: '111181' });
		const [json] = getJson(await create('returnExisting'));
		expect(json.created).toBe(false);
	});

	it('does not look for an existing one where the creation may have been accepted', async () => {
		service.simulator.fail({ kind: 'reset', operation: 'SubAccounts', accept: true });
		const { error } = await create('returnExisting');
		expect(error?.message).toContain('connection broke');
		expect(operations()).toEqual(['SubAccounts']);
	});

	it('does not look for an existing one where the service has not said why it refused', async () => {
		service.simulator.fail({ kind: 'http', status: 404, body: 'Not Found' });
		const { error } = await create('returnExisting');
		expect(error?.message).toContain('404');
		expect(operations()).toEqual(['SubAccounts']);
	});

	it('fails as the creation did where the existing one cannot be found', async () => {
		await create('error', { appId: applicationId('notLive') });
		const { error } = await create('returnExisting');
		expect(error).toMatchObject({ httpCode: '111150' });
		expect(error?.message).toMatch(/\(code 111150\) \[item 0\]$/);
		expect(error?.description).toContain('子账户名称重复');
		expect(operations()).toEqual(['SubAccounts', 'SubAccounts', 'QuerySubAccountByName']);
	});
});

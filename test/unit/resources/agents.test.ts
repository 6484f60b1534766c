import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../nodes/Yuntongxun/client/request';
import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { exampleForm } from '../../support/exampleForms';
import { buildForm } from '../../support/form';
import { runTask } from '../../support/tasks';

/** Every field of the service holds its own name. */
const ANSWER: Answer = {
	statusCode: '000000',
	text: (name) => (name === 'totalCount' ? '1' : name),
	records: [{ subAccountSid: 'sid', subToken: 'subToken', voipPwd: 'voipPwd' }],
};

/** The output of an operation that an agent or a workflow uses. */
async function outputFor(
	resource: string,
	operation: string,
	byAgent: boolean,
	parameters: IDataObject = {},
	options: IDataObject = {},
): Promise<IDataObject> {
	const chosen = findOperation(RESOURCES, resource, operation);
	if (chosen === undefined) throw new Error(`There is no ${resource} ${operation}`);
	const defaults = { returnAll: true, simplify: false };
	const filled = { ...defaults, ...exampleForm(resource, operation).parameters, ...parameters };
	const form = buildForm(filled as IDataObject, { byAgent, options, account: { appId: 'app' } });
	const [json] = await runTask(chosen.prepare(form).work, async () => ANSWER);
	return json;
}

const SECRETS = ['subToken', 'voipPwd'];
const namesIn = (json: IDataObject) => SECRETS.filter((name) => name in json);

describe.each(['create', 'getByName', 'getAll'])('The secrets of subAccount.%s', (operation) => {
	it.each([
		[false, SECRETS],
		[true, []],
	])('with Omit Secrets %s, those that a workflow gets are %j', async (omitSecrets, names) => {
		const json = await outputFor('subAccount', operation, false, {}, { omitSecrets });
		expect(namesIn(json)).toEqual(names);
	});

	it('without Omit Secrets, are left out of a list only', async () => {
		const names = operation === 'getAll' ? [] : SECRETS;
		expect(namesIn(await outputFor('subAccount', operation, false))).toEqual(names);
	});

	it.each([false, true])('never reach an AI agent, with Omit Secrets %s', async (omitSecrets) => {
		const json = await outputFor('subAccount', operation, true, {}, { omitSecrets });
		expect(namesIn(json)).toEqual([]);
		expect(json.subAccountSid).toMatch(/./);
	});
});

it('an AI agent closes no sub-account, a workflow does', async () => {
	await expect(outputFor('subAccount', 'close', true)).rejects.toThrow(
		'An AI agent cannot close a sub-account: as far as we know, this cannot be undone',
	);
	const parameters = { subAccountSid: 'a1' };
	expect(await outputFor('subAccount', 'close', false, parameters)).toEqual({
		statusCode: '000000',
		subAccountSid: 'a1',
		closed: true,
	});
});

it('an AI agent gets the account simplified, whatever was chosen', async () => {
	expect(await outputFor('account', 'get', true)).not.toHaveProperty('statusCode');
	expect(await outputFor('account', 'get', false)).toHaveProperty('statusCode');
});

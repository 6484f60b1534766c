import { NodeApiError } from 'n8n-workflow';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { preparePicker } from '../../../nodes/Yuntongxun/listSearch/pickerRequest';
import { buildNode } from '../../support/fakeN8n';

/** The form beside a picker. @param resolve what its App ID gives in the editor */
function formWith(stored: unknown, resolve: () => unknown = () => stored): ILoadOptionsFunctions {
	const context: Pick<
		ILoadOptionsFunctions,
		'getCredentials' | 'getCurrentNodeParameter' | 'getNode' | 'getNodeParameter'
	> = {
		getCredentials: async <T extends object>() =>
			({
				accountSid: 'sid',
				authToken: 'made-up-token',
				appId: 'of-the-credential',
				baseUrl: 'https://example.com',
			}) as T,
		getCurrentNodeParameter: () => stored as string,
		getNode: () => buildNode(),
		getNodeParameter: (() => resolve()) as ILoadOptionsFunctions['getNodeParameter'],
	};
	return context as ILoadOptionsFunctions;
}

it.each([
	['an App ID', formWith(' app-1 '), 'app-1'],
	['an expression with a value', formWith('={{ $json.app }}', () => 'app-2'), 'app-2'],
	['an empty App ID', formWith(''), 'of-the-credential'],
	['none', formWith(undefined), 'of-the-credential'],
])('a picker beside %s asks for its application', async (_what, context, expected) => {
	expect((await preparePicker(context, 'templates')).appId).toBe(expected);
});

it.each([
	['gives nothing here', () => undefined],
	[
		'needs a node that has not run',
		() => {
			throw new Error("Node 'Webhook' hasn't been executed");
		},
	],
])('a picker beside an App ID by an expression that %s says so', async (_what, resolve) => {
	const picking = preparePicker(formWith('={{ $json.app }}', resolve), 'templates');
	await expect(picking).rejects.toBeInstanceOf(NodeApiError);
	await expect(picking).rejects.toMatchObject({
		message: 'App ID is an expression that has no value yet',
		description: 'Choose By ID instead of the list, or enter the App ID itself.',
	});
});

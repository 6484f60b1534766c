import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { parseCallbackAddress } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import type { Sender } from '../../../nodes/Yuntongxun/waiting/ownN8n';
import { answerQuestion, askTrigger } from '../../../nodes/Yuntongxun/waiting/triggerQuestion';
import { credentialOf, deliver } from '../support/delivery';
import { nodeOf } from '../support/executeData';

const CREDENTIAL = {
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
};
const ACCOUNT = parseCredential(CREDENTIAL);

let triggers = 0;

/** Asks a trigger of its own, which reads its credential like this; undefined if it has none. */
async function stateWith(credential: (() => Promise<IDataObject>) | undefined) {
	const trigger = {
		workflowId: 'w',
		nodeId: `t${++triggers}`,
		url: `https://n8n.example.com/webhook/${triggers}/call-result`,
	};
	const credentials = credential && { yuntongxunApi: { id: '1', name: 'Account' } };
	const context = {
		getNode: () => nodeOf({ id: trigger.nodeId, credentials }),
		getWorkflow: () => ({ id: 'w' }),
		getNodeParameter: (name: string) => (name === 'events' ? ['voiceNotification'] : {}),
		getCredentials: credentialOf(credential ?? (async () => ({}))),
	};
	const answer = async (webhook: IWebhookFunctions) => {
		const address = parseCallbackAddress(webhook.getRequestObject().originalUrl);
		return (await answerQuestion(webhook, address, Date.now())) ?? {};
	};
	const httpRequest = async ({ url, body }: IHttpRequestOptions) => {
		const { status, ...answered } = await deliver(answer, { url, body: String(body) }, context);
		return { statusCode: status, body: answered.body };
	};
	return await askTrigger({ helpers: { httpRequest } } as unknown as Sender, trigger, ACCOUNT);
}

describe('a trigger that is asked', () => {
	const ready = { kind: 'ready', events: ['voiceNotification'], requiresSignedUrl: false };

	it.each<[string, (() => Promise<IDataObject>) | undefined, boolean]>([
		['the account', async () => CREDENTIAL, true],
		['another token', async () => ({ ...CREDENTIAL, authToken: 'another' }), false],
		['a credential that is not whole', async () => ({}), false],
		['no credential', undefined, false],
	])('with %s says whether it holds the account', async (_, credential, holdsAccount) => {
		expect(await stateWith(credential)).toEqual({ ...ready, holdsAccount });
	});

	it('does not say that it holds another account while n8n cannot read the credential', async () => {
		const unreadable = async () => {
			throw new Error('The database is away');
		};
		expect(await stateWith(unreadable)).toEqual({ kind: 'unanswered' });
	});
});

import { createHmac } from 'node:crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { parseCallbackAddress } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import {
	answerQuestion,
	buildQuestion,
	parseAnswer,
} from '../../../nodes/Yuntongxun/callbacks/triggerQuestion';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { buildNode, deliver, fakeCredential } from '../../support/fakeN8n';

const CREDENTIAL = {
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
};
const ACCOUNT = parseCredential(CREDENTIAL);
const USED = { yuntongxunApi: { id: '1', name: 'Account' } };

let triggers = 0;

interface Situation {
	/** Reads the trigger's credential; undefined if it has none. */
	credential?: () => Promise<IDataObject>;
	/** How old the question is, in milliseconds. */
	age?: number;
	/** Changes the question on its way. */
	change?: (url: string) => string;
	/** What the trigger sees of n8n instead. */
	context?: object;
}

/** Asks a trigger that starts for replies by SMS, and requires signed URLs. */
async function ask(situation: Situation) {
	const { age = 0, change = (url: string) => url } = situation;
	const credential = Object.hasOwn(situation, 'credential')
		? situation.credential
		: async () => CREDENTIAL;
	const nodeId = `t${++triggers}`;
	const url = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
	const question = buildQuestion({ workflowId: 'w', nodeId, url }, ACCOUNT);
	let isQuestion = true;
	const webhook = async (context: IWebhookFunctions) => {
		const address = parseCallbackAddress(context.getRequestObject().originalUrl);
		const answer = await answerQuestion(context, address, Date.now() + age);
		isQuestion = answer !== undefined;
		return answer ?? {};
	};
	const { status, type, body } = await deliver(
		webhook,
		{ url: change(question.address), body: question.body },
		{
			getNode: () => buildNode({ id: nodeId, credentials: credential && USED }),
			getWorkflow: () => ({ id: 'w' }),
			getNodeParameter: (name: string) =>
				name === 'events' ? ['smsReply'] : { requireSignedUrl: true },
			getCredentials: fakeCredential(credential ?? (async () => ({}))),
			...situation.context,
		},
	);
	return { isQuestion, status, type, answer: parseAnswer(body, question) };
}

describe('A trigger', () => {
	it.each<[string, (() => Promise<IDataObject>) | undefined, boolean]>([
		['the account', async () => CREDENTIAL, true],
		['another token', async () => ({ ...CREDENTIAL, authToken: 'another' }), false],
		['a credential that is not whole', async () => ({}), false],
		['no credential', undefined, false],
	])('a trigger with %s says in JSON what it is set to', async (_, credential, holdsAccount) => {
		const { answer, type } = await ask({ credential });
		expect(type).toBe('application/json');
		expect(answer).toEqual({ events: ['smsReply'], holdsAccount, requiresSignedUrl: true });
	});

	it('says that it takes results that are not signed', async () => {
		const getNodeParameter = (name: string) => (name === 'events' ? ['other'] : {});
		const { answer } = await ask({ context: { getNodeParameter } });
		expect(answer).toEqual({ events: ['other'], holdsAccount: true, requiresSignedUrl: false });
	});

	it('does not say that it holds another account while n8n cannot read the credential', async () => {
		const unreadable = async () => {
			throw new Error('The database is away');
		};
		expect(await ask({ credential: unreadable })).toMatchObject({ status: 503, answer: undefined });
	});

	it.each<[string, object]>([
		['of another workflow', { getWorkflow: () => ({ id: 'other' }) }],
		['that is another one of the workflow', { getNode: () => buildNode({ id: 'other' }) }],
	])('%s takes a question for none', async (_what, context) => {
		expect(await ask({ context })).toMatchObject({ isQuestion: false });
	});
});

describe('A question', () => {
	const QUESTION = /ytAsk=([\w-]+)\.([\w-]+)/;

	it.each<[string, string]>([
		['without a proof', 'ytAsk=$1'],
		['with an empty proof', 'ytAsk=$1.'],
		['with a proof that was cut off', 'ytAsk=$1.short'],
		['with a made-up proof', `ytAsk=$1.${'A'.repeat(43)}`],
		['with the proof of another question', 'ytAsk=other.$2'],
		['that holds nothing', 'ytAsk='],
		['whose parameter has another name', 'ytOther=$1.$2'],
	])('%s is none', async (_what, forged) => {
		const change = (url: string) => url.replace(QUESTION, forged);
		expect(await ask({ change })).toMatchObject({ isQuestion: false });
	});

	it('proves the account for five minutes only', async () => {
		const isHeld = async (age: number) => (await ask({ age })).answer?.holdsAccount;
		expect([await isHeld(4 * 60_000), await isHeld(5 * 60_000 + 1000)]).toEqual([true, false]);
	});

	it('proves that it knows the workflow, and shows no id of it and no token', () => {
		const url = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
		const trigger = { workflowId: 'secretWorkflow', nodeId: 'secretNode', url };
		const { address, body, nonce } = buildQuestion(trigger, ACCOUNT);
		expect(body).toBe('ytAsk');
		const key = '["question","secretWorkflow","secretNode"]';
		const proof = createHmac('sha256', key).update(nonce).digest('base64url');
		expect(address.startsWith(`${url}?ytAsk=${nonce}.${proof}&`)).toBe(true);
		expect(address).not.toMatch(/secret|made-up-token/);
	});
});

describe('An answer', () => {
	const question = { address: '', body: '', nonce: 'n1' };
	const unfit = { events: [], holdsAccount: false, requiresSignedUrl: true };

	it.each<[string, string, object | undefined]>([
		['that lacks everything is that of a trigger that does not fit', '{"ytAnswer":"n1"}', unfit],
		[
			'with other types is that of a trigger that does not fit',
			'{"ytAnswer":"n1","events":"voiceNotification","holdsAccount":"true","requiresSignedUrl":0}',
			unfit,
		],
		['to another question is none', '{"ytAnswer":"other"}', undefined],
		['that is a log-in page is none', '<html>Log in</html>', undefined],
		['that holds nothing is none', 'null', undefined],
	])('%s', (_what, text, answer) => {
		expect(parseAnswer(text, question)).toEqual(answer);
	});
});

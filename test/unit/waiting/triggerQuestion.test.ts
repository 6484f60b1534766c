import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';

import { parseCallbackAddress } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import type { Sender } from '../../../nodes/Yuntongxun/waiting/ownN8n';
import { answerQuestion, askTrigger } from '../../../nodes/Yuntongxun/waiting/triggerQuestion';
import { credentialOf, deliver } from '../support/delivery';
import { nodeOf } from '../../support/executeData';

const CREDENTIAL = {
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
};
const ACCOUNT = parseCredential(CREDENTIAL);

let triggers = 0;

/** A trigger that no other test has asked. */
const newTrigger = () => ({
	workflowId: 'w',
	nodeId: `t${++triggers}`,
	url: `https://n8n.example.com/webhook/${triggers}/call-result`,
});

type HttpAnswer = { statusCode: number; body: string };

/** An n8n that answers each question in turn, the last answer from then on. */
function n8nWith(...answers: Array<HttpAnswer | Error | ((nonce: string) => HttpAnswer)>) {
	const questions: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		questions.push(request);
		const answer = answers[Math.min(questions.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		const [, nonce] = /ytAsk=([\w-]+)\./.exec(request.url) ?? [];
		return typeof answer === 'function' ? answer(nonce) : answer;
	};
	return { questions, sender: { helpers: { httpRequest } } as unknown as Sender };
}

const says = (members: object) => (nonce: string) => ({
	statusCode: 200,
	body: JSON.stringify({ ytAnswer: nonce, ...members }),
});
const READY = says({ events: ['voiceNotification'], holdsAccount: true, requiresSignedUrl: false });
const NOT_REGISTERED = {
	statusCode: 404,
	body: '{"code":404,"message":"The requested webhook \\"POST x\\" is not registered."}',
};
const FOREIGN = { statusCode: 400, body: 'This address takes notifications of Yuntongxun only.' };

/** Asks a trigger of its own, which reads its credential like this; undefined if it has none. */
async function stateWith(credential: (() => Promise<IDataObject>) | undefined) {
	const trigger = newTrigger();
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

describe('an answer', () => {
	const ready = { kind: 'ready', events: [], holdsAccount: false, requiresSignedUrl: true };

	it.each<[string, Parameters<typeof n8nWith>[0], object]>([
		[
			'of a trigger',
			READY,
			{ ...ready, events: ['voiceNotification'], holdsAccount: true, requiresSignedUrl: false },
		],
		['that lacks everything counts as a trigger that does not fit', says({}), ready],
		[
			'with other types counts the same',
			says({ events: 'voiceNotification', holdsAccount: 'true', requiresSignedUrl: 'false' }),
			ready,
		],
		['of a trigger of another workflow', FOREIGN, { kind: 'foreign' }],
		[
			'of one that requires signatures',
			{ statusCode: 403, body: 'This address is not signed, or its signature has expired.' },
			{ kind: 'foreign' },
		],
		[
			'to another question',
			{ statusCode: 200, body: '{"ytAnswer":"other"}' },
			{ kind: 'unanswered' },
		],
		['of a log-in page', { statusCode: 200, body: '<html>Log in</html>' }, { kind: 'unanswered' }],
		['that holds nothing', { statusCode: 200, body: 'null' }, { kind: 'unanswered' }],
		[
			'of a trigger behind an error',
			(nonce: string) => ({ ...READY(nonce), statusCode: 502 }),
			{ kind: 'unanswered' },
		],
		[
			'that is a 404 of a proxy',
			{ statusCode: 404, body: '<html>Not Found</html>' },
			{ kind: 'unanswered' },
		],
		[
			'that says not registered with another status',
			{ ...NOT_REGISTERED, statusCode: 500 },
			{ kind: 'unanswered' },
		],
		['that never comes', new Error('connect ECONNREFUSED'), { kind: 'unanswered' }],
	])('%s', async (_what, answer, state) => {
		const { sender, questions } = n8nWith(answer);
		expect(await askTrigger(sender, newTrigger(), ACCOUNT)).toEqual(state);
		expect(questions).toHaveLength(1);
	});
});

describe('an address at which n8n has no webhook', () => {
	beforeEach(() => jest.useFakeTimers());
	afterEach(() => jest.useRealTimers());

	it.each<[string, Array<Parameters<typeof n8nWith>[0]>, string]>([
		['is not registered if that stays so', [NOT_REGISTERED], 'notRegistered'],
		['is ready if n8n was only publishing the workflow', [NOT_REGISTERED, READY], 'ready'],
	])('is asked again half a second later, and %s', async (_what, answers, kind) => {
		const { sender, questions } = n8nWith(...answers);
		const asking = askTrigger(sender, newTrigger(), ACCOUNT);
		await jest.advanceTimersByTimeAsync(499);
		expect(questions).toHaveLength(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(await asking).toMatchObject({ kind });
		expect(questions).toHaveLength(2);
	});

	// n8n's words as 1.123.0 and 2.41.1 sent them, and one as a proxy might write it anew.
	it.each([
		'{"code":404,"message":"The requested webhook \\"POST x/call-result\\" is not registered."}',
		'{"code":404,"message":"This webhook is not registered for POST requests. Did you mean to make a GET request?"}',
		'{"code":404,"message":"Active version not found for workflow with id \\"w\\""}',
		'{"code":404,"message":"Published version not found for workflow with id \\"w\\""}',
		'{"code":404,"message":"Could not find workflow with id \\"w\\""}',
		'{ "code": 404, "message": "Could not find workflow with id \\"w\\"" }',
	])('is one where n8n says %s', async (body) => {
		const { sender } = n8nWith({ statusCode: 404, body });
		const asking = askTrigger(sender, newTrigger(), ACCOUNT);
		await jest.advanceTimersByTimeAsync(500);
		expect(await asking).toEqual({ kind: 'notRegistered' });
	});
});

describe('what a trigger has answered', () => {
	beforeEach(() => jest.useFakeTimers({ now: 0 }));
	afterEach(() => jest.useRealTimers());

	it('holds for a minute', async () => {
		const { sender, questions } = n8nWith(READY);
		const trigger = newTrigger();
		const counts: number[] = [];
		for (const now of [0, 59_999, 60_000]) {
			jest.setSystemTime(now);
			expect(await askTrigger(sender, trigger, ACCOUNT)).toMatchObject({ kind: 'ready' });
			counts.push(questions.length);
		}
		expect(counts).toEqual([1, 1, 2]);
	});

	it('also holds if it was silence: each question takes long', async () => {
		const { sender, questions } = n8nWith(new Error('timeout'));
		const trigger = newTrigger();
		for (let round = 0; round < 2; round++) await askTrigger(sender, trigger, ACCOUNT);
		expect(questions).toHaveLength(1);
	});

	it.each([
		['no trigger listens', NOT_REGISTERED, 4],
		['a trigger of another workflow listens', FOREIGN, 2],
	])('does not hold if %s: the user mends it and tries again', async (_what, answer, count) => {
		const { sender, questions } = n8nWith(answer);
		const trigger = newTrigger();
		for (let round = 0; round < 2; round++) {
			const asking = askTrigger(sender, trigger, ACCOUNT);
			await jest.advanceTimersByTimeAsync(500);
			await asking;
		}
		expect(questions).toHaveLength(count);
	});

	it('serves all who ask at the same time', async () => {
		const { sender, questions } = n8nWith(READY);
		const trigger = newTrigger();
		const states = await Promise.all(
			[1, 2, 3].map(async () => await askTrigger(sender, trigger, ACCOUNT)),
		);
		expect(states.map(({ kind }) => kind)).toEqual(['ready', 'ready', 'ready']);
		expect(questions).toHaveLength(1);
	});

	it('does not hold for another account or another trigger', async () => {
		const { sender, questions } = n8nWith(READY);
		const trigger = newTrigger();
		const other = parseCredential({ ...CREDENTIAL, authToken: 'another' });
		await askTrigger(sender, trigger, ACCOUNT);
		await askTrigger(sender, trigger, other);
		await askTrigger(sender, { ...trigger, nodeId: 'copied' }, ACCOUNT);
		expect(questions).toHaveLength(3);
	});
});

describe('a question', () => {
	/** Asks, and hands the question, changed on its way, to a trigger that sees this of n8n. */
	async function answeredBy(changes: object, now = Date.now(), change = (url: string) => url) {
		const { sender, questions } = n8nWith(READY);
		const trigger = newTrigger();
		await askTrigger(sender, trigger, ACCOUNT);
		const [{ url }] = questions;
		const context = {
			getNode: () =>
				nodeOf({ id: trigger.nodeId, credentials: { yuntongxunApi: { id: '1', name: 'A' } } }),
			getWorkflow: () => ({ id: 'w' }),
			getNodeParameter: (name: string) =>
				name === 'events' ? ['smsReply'] : { requireSignedUrl: true },
			getCredentials: credentialOf(async () => CREDENTIAL),
			...changes,
		};
		let isQuestion = true;
		const { body } = await deliver(
			async (webhook) => {
				const address = parseCallbackAddress(webhook.getRequestObject().originalUrl);
				const answer = await answerQuestion(webhook, address, now);
				isQuestion = answer !== undefined;
				return answer ?? {};
			},
			{ url: change(url), body: 'ytAsk' },
			context,
		);
		return isQuestion ? (JSON.parse(body) as IDataObject) : undefined;
	}

	it('is answered with what the trigger is set to', async () => {
		expect(await answeredBy({})).toEqual({
			ytAnswer: expect.any(String) as string,
			events: ['smsReply'],
			holdsAccount: true,
			requiresSignedUrl: true,
		});
	});

	it.each<[string, object]>([
		['the trigger of another workflow', { getWorkflow: () => ({ id: 'other' }) }],
		['another trigger of the workflow', { getNode: () => nodeOf({ id: 'other' }) }],
	])('is none for %s', async (_what, changes) => {
		expect(await answeredBy(changes)).toBeUndefined();
	});

	const QUESTION = /ytAsk=([\w-]+)\.([\w-]+)/;
	it.each<[string, string]>([
		['without a proof', 'ytAsk=$1'],
		['with an empty proof', 'ytAsk=$1.'],
		['with a proof that was cut off', 'ytAsk=$1.short'],
		['with a made-up proof', `ytAsk=$1.${'A'.repeat(43)}`],
		['with the proof of another question', 'ytAsk=other.$2'],
		['that holds nothing', 'ytAsk='],
	])('is none %s', async (_what, forged) => {
		const change = (url: string) => url.replace(QUESTION, forged);
		expect(await answeredBy({}, Date.now(), change)).toBeUndefined();
	});

	it('proves the account for five minutes only', async () => {
		const isHeld = async (age: number) => (await answeredBy({}, Date.now() + age))?.holdsAccount;
		expect([await isHeld(4 * 60_000), await isHeld(5 * 60_000 + 1000)]).toEqual([true, false]);
	});

	it('is a POST that shows no id of the workflow and no token, and is no notification', async () => {
		const { sender, questions } = n8nWith(READY);
		const trigger = { ...newTrigger(), workflowId: 'secretWorkflow', nodeId: 'secretNode' };
		await askTrigger(sender, trigger, ACCOUNT);
		expect(questions).toEqual([expect.objectContaining({ method: 'POST', body: 'ytAsk' })]);
		expect(questions[0].url.startsWith(`${trigger.url}?ytAsk=`)).toBe(true);
		expect(questions[0].url).not.toMatch(/secret|made-up-token/);
	});

	it('is not seen in any other address', async () => {
		const address = parseCallbackAddress('/webhook/1/call-result?ytSignature=x');
		const webhook = {} as unknown as IWebhookFunctions;
		expect(await answerQuestion(webhook, address, 0)).toBeUndefined();
	});
});

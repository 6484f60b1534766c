import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Sender } from '../../../../nodes/Yuntongxun/waiting/post/ownN8n';
import { answerQuestion } from '../../../support/sealing';
import { parseCredential } from '../../../../nodes/Yuntongxun/client/credential';
import { askTrigger } from '../../../../nodes/Yuntongxun/waiting/route/askTrigger';
import { useFakeClock } from '../../../support/fakeClock';

const CREDENTIAL = {
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
};
const ACCOUNT = parseCredential(CREDENTIAL);

const TRIGGER = {
	workflowId: 'w',
	nodeId: 't',
	name: 'Trigger',
	url: 'https://n8n.example.com/webhook/4f9c/yuntongxun',
};

type HttpAnswer = { statusCode: number; body: string };

/** What n8n answers to a question; nothing is silence. */
type N8nAnswer = HttpAnswer | Error | ((url: string) => HttpAnswer) | undefined;

/** Asks the trigger of an n8n that answers so, and lets as much time pass as it takes. */
async function ask(answer: N8nAnswer) {
	const questions: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		questions.push(request);
		if (answer === undefined) return await new Promise(() => {});
		if (answer instanceof Error) throw answer;
		return typeof answer === 'function' ? answer(request.url) : answer;
	};
	const sender = { helpers: { httpRequest } } as unknown as Sender;
	const asking = askTrigger(sender, TRIGGER, ACCOUNT).then((state) => ({ state, at: Date.now() }));
	await jest.advanceTimersByTimeAsync(20_000);
	return { ...(await asking), questions };
}

const MEMBERS = { events: ['voiceNotification'], isAsked: true };
const READY = (url: string) => ({
	statusCode: 200,
	body: answerQuestion(url, CREDENTIAL, MEMBERS),
});
const NOT_REGISTERED = {
	statusCode: 404,
	body: '{"code":404,"message":"The requested webhook \\"POST x\\" is not registered."}',
};
const failedWith = (status: number) => ({ kind: 'replaced', status });
const brokenBy = (errorName: string, kind = 'unreachable') => ({ kind, errorName });

useFakeClock(0);

describe('The state of a trigger', () => {
	// n8n's words as 1.123.0 and 2.41.1 sent them, and one as a proxy might write it anew.
	const n8nSays = (message: string) => ({ statusCode: 404, body: `{"code":404,${message}}` });

	it.each<[string, N8nAnswer, object]>([
		['is what it answers', READY, { kind: 'answered', answer: MEMBERS }],
		...[
			'"message":"The requested webhook \\"POST x/yuntongxun\\" is not registered."',
			'"message":"This webhook is not registered for POST requests. Did you mean to make a GET request?"',
			'"message":"Active version not found for workflow with id \\"w\\""',
			'"message":"Published version not found for workflow with id \\"w\\""',
			'"message":"Could not find workflow with id \\"w\\""',
			' "message": "Could not find workflow with id \\"w\\""',
		].map((words): [string, N8nAnswer, object] => [
			`is that none is registered where n8n says ${words}`,
			n8nSays(words),
			{ kind: 'notRegistered' },
		]),
		['is the status of a page', { statusCode: 200, body: '<html>' }, failedWith(200)],
		[
			'is the status of an answer behind an error',
			(url) => ({ ...READY(url), statusCode: 500 }),
			failedWith(500),
		],
		[
			'is the status where "not registered" comes with another one',
			{ ...NOT_REGISTERED, statusCode: 500 },
			failedWith(500),
		],
		[
			'is the code of the cause of the error',
			Object.assign(new Error('x'), { cause: { code: 'CERT_HAS_EXPIRED' } }),
			brokenBy('CERT_HAS_EXPIRED', 'untrusted'),
		],
		['is the name of an error without a code', new TypeError('x'), brokenBy('TypeError')],
	])('%s', async (_what, answer, state) => {
		const asked = await ask(answer);
		expect(asked.state).toEqual(state);
		const post = { method: 'POST', body: 'yt', disableFollowRedirect: true };
		expect(asked.questions).toMatchObject([post]);
	});

	it('is silence exactly ten seconds after the question', async () => {
		expect(await ask(undefined)).toMatchObject({ state: { kind: 'silent' }, at: 10_000 });
	});
});

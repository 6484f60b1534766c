import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Sender } from '../../../../nodes/Yuntongxun/waiting/post/ownN8n';
import { answerQuestion } from '../../../support/sealing';
import { parseCredential } from '../../../../nodes/Yuntongxun/client/credential';
import { askTrigger } from '../../../../nodes/Yuntongxun/waiting/route/askTrigger';
import type { TriggerState } from '../../../../nodes/Yuntongxun/waiting/route/askTrigger';
import { useFakeClock } from '../../../support/fakeClock';

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
	name: 'Trigger',
	url: `https://n8n.example.com/webhook/${triggers}/yuntongxun`,
});

type HttpAnswer = { statusCode: number; body: string };

/** What n8n answers to a question; nothing is silence. */
type N8nAnswer = HttpAnswer | Error | ((url: string) => HttpAnswer) | undefined;

/** An n8n that answers each question in turn, the last answer from then on. */
function n8nWith(...answers: N8nAnswer[]) {
	const questions: IHttpRequestOptions[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		questions.push(request);
		const answer = answers[Math.min(questions.length, answers.length) - 1];
		if (answer === undefined) return await new Promise(() => {});
		if (answer instanceof Error) throw answer;
		return typeof answer === 'function' ? answer(request.url) : answer;
	};
	return { questions, sender: { helpers: { httpRequest } } as unknown as Sender };
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
const FOREIGN = {
	statusCode: 403,
	body: 'This address is not from this account, or it has expired.',
};
const UNREADABLE = { statusCode: 503, body: 'The result cannot be taken right now.' };
const BAD_GATEWAY = { statusCode: 502, body: '<html>Bad Gateway</html>' };
const REFUSED = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });

const failedWith = (status: number) => ({ kind: 'replaced', status });
const brokenBy = (errorName: string, kind = 'unreachable') => ({ kind, errorName });

useFakeClock(0);

/** Asks, and lets as much time pass as it takes. */
async function ask(sender: Sender, trigger = newTrigger()) {
	const asking = askTrigger(sender, trigger, ACCOUNT);
	await jest.advanceTimersByTimeAsync(20_000);
	return await asking;
}

describe('The state of a trigger', () => {
	// n8n's words as 1.123.0 and 2.41.1 sent them, and one as a proxy might write it anew.
	const n8nSays = (message: string) => ({ statusCode: 404, body: `{"code":404,${message}}` });

	it.each<[string, N8nAnswer, object, number]>([
		['is what it answers', READY, { kind: 'answered', answer: MEMBERS }, 1],
		...[
			'"message":"The requested webhook \\"POST x/yuntongxun\\" is not registered."',
			'"message":"This webhook is not registered for POST requests. Did you mean to make a GET request?"',
			'"message":"Active version not found for workflow with id \\"w\\""',
			'"message":"Published version not found for workflow with id \\"w\\""',
			'"message":"Could not find workflow with id \\"w\\""',
			' "message": "Could not find workflow with id \\"w\\""',
		].map((words): [string, N8nAnswer, object, number] => [
			`is that none is registered where n8n says ${words}`,
			n8nSays(words),
			{ kind: 'notRegistered' },
			1,
		]),
		['is that of another account where it cannot open it', FOREIGN, { kind: 'foreign' }, 1],
		['is that it cannot read its credential', UNREADABLE, { kind: 'unreadable' }, 1],
		['is the status of a proxy that answers in its place', BAD_GATEWAY, failedWith(502), 2],
		['is the status of a page', { statusCode: 200, body: '<html>' }, failedWith(200), 2],
		[
			'is the status of an answer behind an error',
			(url) => ({ ...READY(url), statusCode: 500 }),
			failedWith(500),
			2,
		],
		[
			'is the status where "not registered" comes with another one',
			{ ...NOT_REGISTERED, statusCode: 500 },
			failedWith(500),
			2,
		],
		['is the code of the error', REFUSED, brokenBy('ECONNREFUSED'), 2],
		[
			'is the code of the cause of the error',
			Object.assign(new Error('x'), { cause: { code: 'CERT_HAS_EXPIRED' } }),
			brokenBy('CERT_HAS_EXPIRED', 'untrusted'),
			2,
		],
		['is the name of an error without a code', new TypeError('x'), brokenBy('TypeError'), 2],
		[
			'is that n8n itself blocks its address',
			Object.assign(new Error('x'), { name: 'SsrfBlockedIpError' }),
			{ kind: 'blocked' },
			1,
		],
	])('%s', async (_what, answer, state, asked) => {
		const { sender, questions } = n8nWith(answer);
		expect(await ask(sender)).toEqual(state);
		const post = { method: 'POST', body: 'yt', disableFollowRedirect: true };
		expect(questions).toMatchObject(Array(asked).fill(post));
	});

	it('is silence exactly ten seconds after the question', async () => {
		const { sender } = n8nWith(undefined);
		const states: TriggerState[] = [];
		void askTrigger(sender, newTrigger(), ACCOUNT).then((state) => states.push(state));
		await jest.advanceTimersByTimeAsync(9999);
		expect(states).toEqual([]);
		await jest.advanceTimersByTimeAsync(1);
		expect(states).toEqual([{ kind: 'silent' }]);
	});

	it('is asked for once more half a second after something else has answered', async () => {
		const { sender, questions } = n8nWith(BAD_GATEWAY, READY);
		const asking = askTrigger(sender, newTrigger(), ACCOUNT);
		await jest.advanceTimersByTimeAsync(499);
		expect(questions).toHaveLength(1);
		await jest.advanceTimersByTimeAsync(1);
		expect(await asking).toMatchObject({ kind: 'answered' });
		expect(questions).toHaveLength(2);
	});
});

describe('A question', () => {
	it('serves all who ask at the same time, and is asked anew by who comes later', async () => {
		const { sender, questions } = n8nWith(READY);
		const trigger = newTrigger();
		const asking = [1, 2, 3].map(async () => await askTrigger(sender, trigger, ACCOUNT));
		const answered = { kind: 'answered' };
		expect(await Promise.all(asking)).toMatchObject([answered, answered, answered]);
		expect(questions).toHaveLength(1);
		await ask(sender, trigger);
		expect(questions).toHaveLength(2);
	});

	it('does not serve another account or another trigger', async () => {
		const { sender, questions } = n8nWith(undefined);
		const trigger = newTrigger();
		const another = parseCredential({ ...CREDENTIAL, authToken: 'another' });
		const asking = [
			askTrigger(sender, trigger, ACCOUNT),
			askTrigger(sender, trigger, another),
			askTrigger(sender, { ...trigger, nodeId: 'copied' }, ACCOUNT),
		];
		await jest.advanceTimersByTimeAsync(10_000);
		await Promise.all(asking);
		expect(questions).toHaveLength(3);
	});
});

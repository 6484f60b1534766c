import { buildResumeUrl, hashSecret } from '../../nodes/Yuntongxun/callbacks/callbackUrl';
import { resumeWithResults } from '../../nodes/Yuntongxun/waiting/wait/resumeWebhook';
import { runTrigger } from '../support/engine/webhook';
import { hostileBodies, buildCallResult, strangeBodies, unusualBodies } from '../support/hostile';
import { buildNode, deliver } from '../support/fakeN8n';

const CALL = '15060215502645320001000300000001';
const EVENTS = ['voiceVerification', 'voiceNotification', 'smsReport', 'smsReply', 'other'];
const BODIES = Object.entries(hostileBodies(CALL));

/**
 * Of the strange ones, those that are the result of the call at its own address: they name it
 * alone and say how it ended, whatever their action.
 */
const RESULTS = [
	'no action',
	'two actions',
	'two actions in JSON',
	'an action that is an object',
	'2,500 members',
	'names that are unsafe',
];

let waits = 0;

/** A delivery to an execution that waits for the call, at its own address. */
async function resume(body: string | Buffer) {
	waits += 1;
	const secret = Buffer.from(`w${waits}`.padEnd(16, '.'));
	const key = { execution: '7', secret };
	const url = buildResumeUrl('https://n8n.example.com/webhook-waiting', key);
	const until = Date.now() + 60_000;
	const wait = { secretHash: hashSecret(secret), until, resumableUntil: until, callSids: [CALL] };
	const data = {
		main: [[{ json: { callSid: CALL, outcome: 'timeout' } }]],
		yuntongxunWait: [[{ json: wait }]],
	};
	const { status, items } = await deliver(
		resumeWithResults,
		{ url, body },
		{
			getNode: () => buildNode(),
			getWorkflow: () => ({ id: 'w' }),
			runExecutionData: { executionData: { nodeExecutionStack: [{ data }] } },
			logger: { warn: () => undefined },
		},
	);
	return { status, items };
}

describe('a hostile notification starts and resumes nothing', () => {
	it.each(BODIES)('%s', async (_, body) => {
		const before = Object.getOwnPropertyNames(Object.prototype);
		const run = await runTrigger({ body, parameters: { events: EVENTS } });
		expect(run.items).toBeUndefined();
		expect(run.answer).toMatchObject({ status: 400, count: 1 });
		expect(run.answer.body).not.toContain('000000');
		expect(await resume(body)).toEqual({ status: 400, items: undefined });
		expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
	});

	it.each(Object.entries(strangeBodies(CALL)))(
		'%s starts a workflow that asks for it, and resumes an execution where it is a result',
		async (name, body) => {
			const before = Object.getOwnPropertyNames(Object.prototype);
			const run = await runTrigger({ body, parameters: { events: EVENTS } });
			expect(run.items).toHaveLength(1);
			expect(run.items?.[0].json.event).toMatch(/^(?:other|smsReport)$/);
			const ofCalls = await runTrigger({ body, parameters: {} });
			expect(ofCalls.items).toBeUndefined();
			const { status, items } = await resume(body);
			expect([status, items?.length]).toEqual([200, RESULTS.includes(name) ? 1 : undefined]);
			expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
		},
	);

	it.each([
		['an honest one', JSON.stringify(buildCallResult(CALL))],
		...Object.entries(unusualBodies(CALL)),
	])('%s does both, once', async (_, body) => {
		const before = Object.getOwnPropertyNames(Object.prototype);
		const run = await runTrigger({ body, parameters: { events: EVENTS } });
		expect(run.items).toHaveLength(1);
		const { status, items } = await resume(body);
		expect(status).toBe(200);
		expect(items).toHaveLength(1);
		expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
	});
});

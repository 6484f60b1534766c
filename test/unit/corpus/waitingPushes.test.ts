import type { IDataObject } from 'n8n-workflow';

import { createHash } from 'node:crypto';
import { buildResumeUrl, hashSecret } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { resumeWithResults } from '../../../nodes/Yuntongxun/waiting/wait/resumeWebhook';
import { buildNode, deliver } from '../../support/fakeN8n';
import { PUSHES, readPush } from '../../support/pushes';
import type { Push } from '../../support/pushes';

const HOUR = 60 * 60_000;

/** The calls of a push whose results say how they ended. */
function listCalls({ read = [] }: Push): IDataObject[] {
	return read.filter(({ event }) => /^voice/.test(String(event)));
}

/** What an execution that waits for these calls does with a push, in a wait of its own. */
async function resume(push: Push, callSids: string[]) {
	const until = Date.now() + HOUR;
	const secret = createHash('md5').update(push.file).digest();
	const facts = { secretHash: hashSecret(secret), until, resumableUntil: until, callSids };
	const data = {
		main: [callSids.map((callSid) => ({ json: { callSid, outcome: 'timeout' } }))],
		yuntongxunWait: [[{ json: facts }]],
	};
	const key = { execution: '7', secret };
	const url = buildResumeUrl('https://n8n.example.com/webhook-waiting', key);
	return await deliver(
		resumeWithResults,
		{ url, body: readPush(push) },
		{
			getExecutionId: () => '7',
			getNode: () => buildNode({ id: push.file }),
			runExecutionData: { executionData: { nodeExecutionStack: [{ data }] } },
		},
	);
}

describe('an execution that waits for the calls of a push goes on, with their results', () => {
	const results = PUSHES.filter((push) => listCalls(push).length > 0);
	it.each(results.map((push) => [push.file, push] as const))('%s', async (_, push) => {
		const calls = listCalls(push);
		const { status, items } = await resume(
			push,
			calls.map(({ callSid }) => String(callSid)),
		);
		expect([status, items?.length]).toEqual([200, calls.length]);
		calls.forEach((fields, at) => expect(items?.[at].json).toMatchObject(fields));
	});
});

describe('an execution that waits for another call does not go on', () => {
	it.each(PUSHES.map((push) => [push.file, push] as const))('%s', async (_, push) => {
		const { status, items } = await resume(push, ['another']);
		expect([status, items]).toEqual([push.refused ?? 200, undefined]);
	});
});

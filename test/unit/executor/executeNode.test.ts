import { Readable } from 'node:stream';

import type { IExecuteFunctions } from 'n8n-workflow';

import { executeNode } from '../../../nodes/Yuntongxun/executor/executeNode';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { CREDENTIAL } from '../../support/trip';
import { buildNode, buildRun, buildTry, nodeContext } from '../../support/fakeN8n';

const NUMBERS = ['13800000001', '13800000002', '13800000003'];

/** A run of three calls at once, stopped by a user at the second request. */
async function runUntilStopped(): Promise<{ log: string[]; requests: number }> {
	const user = new AbortController();
	const log: string[] = [];
	let requests = 0;
	const httpRequestWithAuthentication = async () => {
		requests += 1;
		if (requests === 2) user.abort();
		const answer = { statusCode: '000000', LandingCall: { callSid: `sid${requests}` } };
		return await Promise.resolve({
			statusCode: 200,
			body: Readable.from([Buffer.from(JSON.stringify(answer))]),
		});
	};
	const form = { resource: 'call', operation: 'notify', content: 'text', mediaTxt: 'Hello' };
	const context = {
		...nodeContext({ ...form, to: NUMBERS[0] }),
		...buildTry(
			buildRun(),
			NUMBERS.map((to) => ({ to })),
			{ continues: true, log, cancelled: user.signal },
		),
		getCredentials: async () => await Promise.resolve(CREDENTIAL),
		getExecutionId: () => '7',
		helpers: { httpRequestWithAuthentication },
	};
	await executeNode(context as unknown as IExecuteFunctions, RESOURCES);
	return { log, requests };
}

it('a run that a user stops tells the log what was accepted, since n8n drops its output', async () => {
	const { log, requests } = await runUntilStopped();
	expect(requests).toBe(3);
	expect(log).toEqual([
		'Execution stopped by a user or its time limit. Accepted: 3. Perhaps accepted: 0.',
	]);
});

it('a run with more IDs than a node remembers is refused before its first request', async () => {
	const lists = [0, 1, 2].map((list) =>
		Array.from({ length: 6667 }, (_, at) => String(13_800_000_000 + 10_000 * list + at)),
	);
	let requests = 0;
	const form = { resource: 'sms', operation: 'send', templateId: '1' };
	const context = {
		...nodeContext(form),
		...buildTry(
			buildRun(),
			lists.map((to) => ({ to })),
			{ continues: true },
		),
		getNode: () => buildNode({ parameters: { to: '={{ $json.to }}' } }),
		getNodeParameter: (name: string, index: number, fallback?: unknown) =>
			({ ...form, to: lists[index], options: { idempotencyKey: 'once' } })[name] ?? fallback,
		getCredentials: async () => await Promise.resolve(CREDENTIAL),
		getExecutionId: () => '7',
		helpers: { httpRequestWithAuthentication: async () => await Promise.resolve((requests += 1)) },
	};
	const output = await executeNode(context as unknown as IExecuteFunctions, RESOURCES);
	const words =
		/need 20001 records for Send Once per ID, and a node remembers 20000, .* Loop Over Items/;
	expect(output[0].json.error).toMatchObject({
		message: expect.stringMatching(words) as string,
		accepted: 'no',
	});
	expect(requests).toBe(0);
});

import type { IDataObject } from 'n8n-workflow';

import { receiveNotification } from '../../../nodes/Yuntongxun/trigger/receive';
import { buildNode, deliver } from '../../support/fakeN8n';
import { listPushes, PUSHES, readPush } from '../../support/corpus';

const EVENTS = ['voiceVerification', 'voiceNotification', 'smsReport', 'smsReply', 'other'];
const NAMED = PUSHES.map((push) => [push.file, push] as const);

/** What a trigger of its own does with a push that it starts for whatever it is. */
async function receive(file: string, body: Buffer, contentType: string) {
	const parameters: IDataObject = { events: EVENTS, options: {} };
	return await deliver(
		receiveNotification,
		{ url: 'https://n8n.example.com/webhook/4f9c/yuntongxun', body, contentType },
		{
			getNodeParameter: (name: string) => parameters[name],
			getMode: () => 'webhook',
			getNode: () => buildNode({ id: file }),
			getWorkflow: () => ({ id: 'w', active: true }),
		},
	);
}

it('each file has a row with its source, and each row a file', () => {
	expect(listPushes().sort()).toEqual(PUSHES.map(({ file }) => file).sort());
	expect(PUSHES.length).toBeGreaterThanOrEqual(60);
	for (const { source, service, read, refused } of PUSHES) {
		expect(source).not.toBe('');
		expect(service).toMatch(/^(?:this$|sibling: \S)/);
		expect((read === undefined) !== (refused === undefined)).toBe(true);
	}
});

describe('a trigger starts once, with what it reads, or refuses it', () => {
	it.each(NAMED)('%s', async (file, push) => {
		const { status, items } = await receive(file, readPush(push), push.contentType);
		expect([status, items?.length]).toEqual([push.refused ?? 200, push.read?.length]);
		push.read?.forEach((fields, at) => expect(items?.[at].json).toMatchObject(fields));
		if (push.read?.[0] && !Object.hasOwn(push.read[0], 'delivered')) {
			expect(items?.[0].json).not.toHaveProperty('delivered');
		}
	});
});

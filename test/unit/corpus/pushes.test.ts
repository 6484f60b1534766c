import type { IDataObject } from 'n8n-workflow';

import { receiveNotification } from '../../../nodes/Yuntongxun/trigger/receive';
import { buildNode, deliver } from '../../support/fakeN8n';
import { PUSHES, readPush } from '../../support/corpus';

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

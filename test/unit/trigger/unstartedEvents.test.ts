import type { IWebhookFunctions } from 'n8n-workflow';

import { logUnstarted } from '../../../nodes/Yuntongxun/trigger/unstartedEvents';
import { buildNode } from '../../support/fakeN8n';
import { readOne, REPLY, REPORT } from '../../support/notifications';

function receive(id: string, members: object): string[] {
	const log: string[] = [];
	const context = {
		getNode: () => buildNode({ id, name: 'SMS Results' }),
		getWorkflow: () => ({ id: 'w1' }),
		logger: { info: (text: string) => void log.push(text) },
	} as unknown as IWebhookFunctions;
	logUnstarted(context, readOne(JSON.stringify(members))!);
	return log;
}

it('logs node, workflow and event', () => {
	expect(receive('t1', REPORT)).toEqual([
		'Yuntongxun: a notification has arrived at "SMS Results" (workflow w1), which does not start for its event, smsReport',
	]);
});

it('logs each event of each trigger once, whatever it holds', () => {
	expect(receive('t2', REPORT)).toHaveLength(1);
	expect(receive('t2', { ...REPORT, content: 's2' })).toHaveLength(0);
	expect(receive('t2', REPLY)).toHaveLength(1);
	expect(receive('t3', REPORT)).toHaveLength(1);
});

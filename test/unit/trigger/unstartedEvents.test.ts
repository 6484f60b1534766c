import type { IWebhookFunctions } from 'n8n-workflow';

import { parseNotification } from '../../../nodes/Yuntongxun/callbacks/notification';
import type * as UnstartedEvents from '../../../nodes/Yuntongxun/trigger/unstartedEvents';
import { buildNode } from '../../support/fakeN8n';

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;

/** The log of a process of n8n of its own, where notifications come that nothing starts for. */
function processOfN8n() {
	const loaded: { module?: typeof UnstartedEvents } = {};
	jest.isolateModules(() => {
		// Jest sees which module a test belongs to only where the call has no type argument.
		loaded.module = jest.requireActual(
			'../../../nodes/Yuntongxun/trigger/unstartedEvents',
		) as typeof UnstartedEvents;
	});
	const log: string[] = [];
	const context = {
		getNode: () => buildNode({ id: 't1', name: 'SMS Results' }),
		getWorkflow: () => ({ id: 'w1' }),
		logger: { info: (text: string) => void log.push(text) },
	} as unknown as IWebhookFunctions;
	const receive = (members: object) => {
		const notification = parseNotification(Buffer.from(JSON.stringify(members)))!;
		loaded.module?.logUnstarted(context, notification);
	};
	return { log, receive };
}

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

it('logs action, node, workflow and event', () => {
	const { log, receive } = processOfN8n();
	receive({ action: 'SMSArrived', smsType: '1', content: 's1' });
	expect(log).toEqual([
		'Yuntongxun: a notification with the action "SMSArrived" has arrived at "SMS Results" (workflow w1), which does not start for the event smsReport',
	]);
});

it('logs each action once a day', () => {
	const { log, receive } = processOfN8n();
	const all = [{ action: 'Hangup' }, { action: 'CallEstablish' }, { callSid: 'c1' }];
	for (const each of [...all, ...all]) receive(each);
	expect(log).toHaveLength(3);
	jest.setSystemTime(NOW + DAY - 1);
	for (const each of all) receive(each);
	expect(log).toHaveLength(3);
	jest.setSystemTime(NOW + DAY);
	for (const each of [...all, ...all]) receive(each);
	expect(log).toHaveLength(6);
});

it('logs 20 actions a day at most, and others a day later', () => {
	const { log, receive } = processOfN8n();
	for (let made = 0; made < 100; made++) receive({ action: `made up ${made}` });
	expect(log).toHaveLength(20);
	jest.setSystemTime(NOW + DAY - 1);
	receive({ action: 'SMSArrived' });
	expect(log).toHaveLength(20);
	jest.setSystemTime(NOW + DAY);
	for (let made = 0; made < 100; made++) receive({ action: `new ${made}` });
	expect(log).toHaveLength(40);
});

it.each([
	['40 characters at most', 'a'.repeat(41), 'a'.repeat(40)],
	['no line breaks', 'a\nb\r\u2028c', 'a b  c'],
	['no control characters and no marks that hide', 'a\u001b[31m\u202eb\u200bc', 'a [31m b c'],
	['whole characters', `${'😀'.repeat(41)}`, '😀'.repeat(40)],
	['Chinese', '状态通知', '状态通知'],
])('logs an action with %s', (_, action, shown) => {
	const { log, receive } = processOfN8n();
	receive({ action });
	expect(log[0]).toContain(`the action "${shown}" has`);
});

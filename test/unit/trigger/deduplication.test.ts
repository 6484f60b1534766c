import type { IWebhookFunctions } from 'n8n-workflow';

import { rememberNotification } from '../../../nodes/Yuntongxun/trigger/deduplication';
import { buildCallResult } from '../../support/hostile';
import { buildNode } from '../../support/fakeN8n';
import { readOne, REPLY, REPORT } from '../../support/notifications';
import { useFakeClock } from '../../support/fakeClock';

const isDuplicate = (...given: Parameters<typeof rememberNotification>) =>
	!rememberNotification(...given);

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;

let triggers = 0;

const fakeTrigger = (id = `t${++triggers}`, workflow = 'w1') =>
	({
		getNode: () => buildNode({ id }),
		getWorkflow: () => ({ id: workflow, active: true }),
	}) as IWebhookFunctions;

const buildNotification = (members: object) => readOne(JSON.stringify(members))!;

const RESULT = buildCallResult('c1');

const result = (callSid: string) => buildNotification({ ...RESULT, callSid });

useFakeClock(NOW);

it.each<[string, boolean, object, object]>([
	['the same result', true, RESULT, { ...RESULT }],
	['the same without a callSid', true, { action: 'VoiceCode' }, { action: 'VoiceCode' }],
	['the same in another order', true, REPORT, Object.fromEntries(Object.entries(REPORT).reverse())],
	['another user data', false, RESULT, { ...RESULT, userData: 'x' }],
	['another call', false, RESULT, { ...RESULT, callSid: 'c2' }],
	['another duration', false, RESULT, { ...RESULT, duration: '31' }],
	['a report at another time', false, REPORT, { ...REPORT, recvTime: '20260102094000' }],
	['something more', false, REPLY, { ...REPLY, more: '1' }],
	['a part that ends elsewhere', false, { ...RESULT, state: '0","1' }, { ...RESULT, state: '0' }],
])('what comes after it with %s is a repetition: %s', (_, isRepeated, first, second) => {
	const trigger = fakeTrigger();
	expect(isDuplicate(trigger, buildNotification(first))).toBe(false);
	expect(isDuplicate(trigger, buildNotification(second))).toBe(isRepeated);
});

it('is no repetition for another trigger or in another workflow', () => {
	expect(isDuplicate(fakeTrigger('same'), result('c1'))).toBe(false);
	expect(isDuplicate(fakeTrigger('another'), result('c1'))).toBe(false);
	expect(isDuplicate(fakeTrigger('same', 'w2'), result('c1'))).toBe(false);
	expect(isDuplicate(fakeTrigger('same'), result('c1'))).toBe(true);
});

it('a trigger remembers its last 5,000, whatever comes at another one', () => {
	const trigger = fakeTrigger();
	const other = fakeTrigger();
	isDuplicate(other, result('c0'));
	for (let call = 0; call <= 5000; call++) isDuplicate(trigger, result(`c${call}`));
	expect(isDuplicate(trigger, result('c1'))).toBe(true);
	expect(isDuplicate(trigger, result('c5000'))).toBe(true);
	expect(isDuplicate(trigger, result('c0'))).toBe(false);
	expect(isDuplicate(other, result('c0'))).toBe(true);
});

it('a copy within 24 hours of the first starts nothing, and one after them starts anew', () => {
	const trigger = fakeTrigger();
	const isCopyAt = (ms: number) => {
		jest.setSystemTime(NOW + ms);
		return isDuplicate(trigger, result('c1'));
	};
	const copies = [0, 1, DAY / 2, DAY - 1, DAY, DAY + 1, 2 * DAY - 1, 2 * DAY].map(isCopyAt);
	expect(copies).toEqual([false, true, true, true, false, true, true, false]);
});

import fc from 'fast-check';
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
const OTHER = { action: 'Hangup', callSid: 'c1', starttime: '1', byetype: '3' };

const result = (callSid: string) => buildNotification({ ...RESULT, callSid });

/** Whether the second of two is a repetition for a trigger of their own. */
function isRepeatedBy(first: object, second: object): boolean {
	const trigger = fakeTrigger();
	expect(isDuplicate(trigger, buildNotification(first))).toBe(false);
	return isDuplicate(trigger, buildNotification(second));
}

useFakeClock(NOW);

describe('a notification is repeated', () => {
	it.each<[string, object, object]>([
		['by the same result', RESULT, { ...RESULT }],
		['without a callSid of a call', { action: 'VoiceCode' }, { action: 'VoiceCode' }],
		['by a report in another order', REPORT, Object.fromEntries(Object.entries(REPORT).reverse())],
	])('%s', (_, first, second) => {
		expect(isRepeatedBy(first, second)).toBe(true);
	});
});

describe('a notification is not repeated', () => {
	it.each<[string, object, object]>([
		['by a result with another user data', RESULT, { ...RESULT, userData: 'x' }],
		['by the result of another call', RESULT, { ...RESULT, callSid: 'c2' }],
		['by a result with another action', RESULT, { ...RESULT, action: 'VoiceCode' }],
		['by a later state of the call', RESULT, { ...RESULT, state: '1' }],
		['by another duration of the call', RESULT, { ...RESULT, duration: '31' }],
		['by a report on another SMS', REPORT, { ...REPORT, content: 's2' }],
		['by a report that came at another time', REPORT, { ...REPORT, recvTime: '20260102094000' }],
		['by a reply with something more', REPLY, { ...REPLY, apiVersion: '1' }],
		['by something else with another member', OTHER, { ...OTHER, byetype: '4' }],
		[
			'where one part ends elsewhere',
			{ ...RESULT, state: '0","1', duration: '' },
			{ ...RESULT, state: '0', duration: '1' },
		],
	])('%s', (_, first, second) => {
		expect(isRepeatedBy(first, second)).toBe(false);
	});

	it('a notification is not repeated for another trigger or in another workflow', () => {
		expect(isDuplicate(fakeTrigger('same'), result('c1'))).toBe(false);
		expect(isDuplicate(fakeTrigger('another'), result('c1'))).toBe(false);
		expect(isDuplicate(fakeTrigger('same', 'w2'), result('c1'))).toBe(false);
		expect(isDuplicate(fakeTrigger('same'), result('c1'))).toBe(true);
	});
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

it('a trigger remembers what a plain list of 24 hours would, at any times', () => {
	const arrivals = fc.array(
		fc.record({
			call: fc.integer({ min: 0, max: 8 }),
			after: fc.constantFrom(0, 1, 60_000, DAY / 3, DAY - 1, DAY),
		}),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(arrivals, (all) => {
			const firstSeen = new Map<number, number>();
			const trigger = fakeTrigger();
			let now = NOW;
			for (const { call, after } of all) {
				now += after;
				jest.setSystemTime(now);
				const seen = firstSeen.get(call);
				const isCopy = seen !== undefined && now - seen < DAY;
				if (!isCopy) firstSeen.set(call, now);
				expect(isDuplicate(trigger, result(`c${call}`))).toBe(isCopy);
			}
		}),
		{ numRuns: 200 },
	);
});

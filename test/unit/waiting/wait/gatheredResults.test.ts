import type { CallResult } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import { WaitMemory } from '../../../../nodes/Yuntongxun/waiting/wait/gatheredResults';

const UNTIL = Date.UTC(2026, 0, 1);
const wait = { id: 'w', until: UNTIL, resumableUntil: UNTIL, callSids: ['awaited', null] };

function resultFor(callSid: string): CallResult {
	const callEvent = {
		event: 'voiceNotification' as const,
		action: 'SellingCall',
		callSid,
		number: '13800000001',
		state: '0',
		duration: '30',
		others: {},
	};
	return { callEvent, at: UNTIL - 1000 };
}

test('A wait keeps nothing of calls that it does not await, whoever holds its address', () => {
	const gathered = new WaitMemory().open(wait, UNTIL - 1000);
	for (const callSid of ['made up', 'null', '']) {
		gathered.take(resultFor(callSid));
		expect(gathered.find(callSid)).toBeUndefined();
	}
	expect(gathered.isComplete).toBe(false);

	gathered.take(resultFor('awaited'));
	expect(gathered.find('awaited')).toEqual(resultFor('awaited'));
	expect(gathered.isComplete).toBe(true);
});

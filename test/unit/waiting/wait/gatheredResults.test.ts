import { toCallEvent } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import type { CallResult } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import { WaitMemory } from '../../../../nodes/Yuntongxun/waiting/wait/gatheredResults';

const UNTIL = Date.UTC(2026, 0, 1);
const wait = { secretHash: 'w', until: UNTIL, resumableUntil: UNTIL, callSids: ['awaited', null] };

const resultFor = (callSid: string): CallResult => ({
	callEvent: toCallEvent({ action: 'SellingCall', callSid, state: '0' }),
	at: UNTIL - 1000,
});

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

import { toCallEvent } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import type { CallResult } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import {
	isComplete,
	openWait,
	takeResult,
} from '../../../../nodes/Yuntongxun/waiting/wait/gatheredResults';

const UNTIL = Date.UTC(2026, 0, 1);
const wait = { secretHash: 'w', until: UNTIL, resumableUntil: UNTIL, callSids: ['awaited', null] };

const resultFor = (callSid: string): CallResult => ({
	callEvent: toCallEvent({ action: 'SellingCall', callSid, state: '0' }),
	at: UNTIL - 1000,
});

test('A wait keeps nothing of calls that it does not await, whoever holds its address', () => {
	const gathered = openWait(wait, UNTIL - 1000);
	for (const callSid of ['made up', 'null', '']) takeResult(gathered, resultFor(callSid));
	expect([gathered.results.size, isComplete(gathered)]).toEqual([0, false]);

	takeResult(gathered, resultFor('awaited'));
	expect([...gathered.results]).toEqual([['awaited', resultFor('awaited')]]);
	expect(isComplete(gathered)).toBe(true);
});

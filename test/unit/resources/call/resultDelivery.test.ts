import type { IDataObject } from 'n8n-workflow';

import { getOutcome, isAnswered } from '../../../../nodes/Yuntongxun/callbacks/notification';
import { findOperation } from '../../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../../nodes/Yuntongxun/resources';
import type { Message } from '../../../../nodes/Yuntongxun/operation/defineOperation';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

/** A call, with what is chosen for its result. */
function callWith(
	chosen: IDataObject,
	{ byAgent = false, operation = 'notify', options = {} } = {},
): Message {
	const filled = { ...exampleForm('call', operation).parameters, ...chosen } as IDataObject;
	const form = buildForm(filled, { byAgent, options, account: { appId: 'app' } });
	return findOperation(RESOURCES, 'call', operation)?.prepare(form).work as Message;
}

it.each([
	[1, 60_000],
	[525_600, 365 * 24 * 3_600_000],
])('a call waits %i minutes', (waitLimit, maxWaitMs) => {
	const target = { kind: 'wait', event: 'voiceNotification', maxWaitMs };
	expect(callWith({ resultDelivery: 'wait', waitLimit }).resultTarget).toEqual(target);
});

it.each([0, 0.5, 525_601])('a call does not wait for %j minutes', (waitLimit) => {
	expect(() => callWith({ resultDelivery: 'wait', waitLimit })).toThrow(
		/^'Max Wait Time \(Minutes\)'/,
	);
});

it('an AI agent cannot wait for the result of a call', () => {
	expect(() => callWith({ resultDelivery: 'wait', waitLimit: 1 }, { byAgent: true })).toThrow(
		"'When the Call Ends' is Wait for Result, which an AI agent cannot use. Choose another way to get the result, or Do Nothing.",
	);
});

describe.each([
	['notify', 'voiceNotification'],
	['verify', 'voiceVerification'],
])('The result of call.%s', (operation, event) => {
	it('starts the trigger by an event of its own', () => {
		const { resultTarget } = callWith({ resultDelivery: 'trigger' }, { operation });
		expect(resultTarget).toEqual({ kind: 'trigger', event });
	});

	it.each([
		[
			'http://localhost:5678/webhook/1',
			[expect.stringMatching(/the internet\. Use a public address/)],
		],
		['https://n8n.example.com/webhook/1', []],
	])('that goes to %s has the hints %j', (respUrl, hints) => {
		expect(callWith({ resultDelivery: 'url', respUrl }, { operation }).hints).toEqual(hints);
	});
});

const WAIT = { resultDelivery: 'wait', waitLimit: 10 };
const CALL = { callSid: 'sid', to: '13800000000' };

it.each([
	['completed', 'completed', true, '12'],
	['noAnswer', 'noAnswer', false, '0'],
	['failed', 'failed', false, '0'],
])('a rehearsed call ends as chosen: %s', (rehearsedOutcome, outcome, answered, duration) => {
	const event = callWith(WAIT, { options: { rehearsedOutcome } })
		.rehearse()
		.resultFor?.(CALL, {})?.callEvent;
	expect(event).toMatchObject({ callSid: 'sid', number: '13800000000', duration });
	expect(event).not.toHaveProperty('userData');
	expect(event && [getOutcome(event), isAnswered(event)]).toEqual([outcome, answered]);
});

it('a rehearsed call completes unless something else is chosen, and has no result at its limit', () => {
	expect(callWith(WAIT).rehearse().resultFor?.(CALL, {})?.callEvent.state).toBe('0');
	expect(
		callWith(WAIT, { options: { rehearsedOutcome: 'timeout' } })
			.rehearse()
			.resultFor?.(CALL, {}),
	).toBeUndefined();
});

it.each([
	['notify', 'voiceNotification', 'SellingCall'],
	['verify', 'voiceVerification', 'VoiceCode'],
] as const)('a rehearsed call.%s reports its own event', (operation, event, action) => {
	const result = callWith(WAIT, { operation })
		.rehearse()
		.resultFor?.(CALL, { userData: 'order-42' });
	expect(result?.callEvent).toMatchObject({ event, action, userData: 'order-42' });
});

it('a rehearsed call shows an address without its token, and all of the rest', () => {
	const address = 'https://n8n.example.com/webhook/4f9c/yuntongxun?a=1';
	const respUrl = `${address}&yt=start.${'a'.repeat(64)}`;
	const { showFields } = callWith({ resultDelivery: 'url', respUrl: address }).rehearse();
	expect(showFields?.({ to: '1', respUrl })).toEqual({ to: '1', respUrl: address });
	expect(showFields?.({ to: '1' })).toEqual({ to: '1' });
});

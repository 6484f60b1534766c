import type { IDataObject } from 'n8n-workflow';

import { getOutcome, isAnswered } from '../../../../nodes/Yuntongxun/callbacks/callEvent';
import type { Message } from '../../../../nodes/Yuntongxun/operation/defineOperation';
import { findOperation } from '../../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../../nodes/Yuntongxun/resources';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

/** What a dry run shows of a call. */
function rehearsalOf(
	chosen: IDataObject,
	options: IDataObject = {},
	operation: 'notify' | 'verify' = 'notify',
) {
	const filled = { ...exampleForm('call', operation).parameters, ...chosen } as IDataObject;
	const form = buildForm(filled, { options, account: { appId: 'app' } });
	return (findOperation(RESOURCES, 'call', operation)?.prepare(form).work as Message).rehearse();
}

const WAIT = { resultDelivery: 'wait', waitLimit: 10, waitLimitUnit: 'minutes' };
const CALL = { callSid: 'sid', to: '13800000000' };

it.each([
	['completed', 'completed', true, '12'],
	['noAnswer', 'noAnswer', false, '0'],
	['failed', 'failed', false, '0'],
])('a rehearsed call ends as chosen: %s', (rehearsedOutcome, outcome, answered, duration) => {
	const event = rehearsalOf(WAIT, { rehearsedOutcome }).resultFor?.(CALL, {})?.callEvent;
	expect(event).toMatchObject({ callSid: 'sid', number: '13800000000', duration });
	expect(event).not.toHaveProperty('userData');
	expect(event && [getOutcome(event), isAnswered(event)]).toEqual([outcome, answered]);
});

it('a rehearsed call completes unless something else is chosen, and has no result at its limit', () => {
	expect(rehearsalOf(WAIT).resultFor?.(CALL, {})?.callEvent.state).toBe('0');
	expect(rehearsalOf(WAIT, { rehearsedOutcome: 'timeout' }).resultFor?.(CALL, {})).toBeUndefined();
});

it.each([
	['notify', 'voiceNotification', 'SellingCall'],
	['verify', 'voiceVerification', 'VoiceCode'],
] as const)('a rehearsed call.%s reports its own event', (operation, event, action) => {
	const result = rehearsalOf(WAIT, {}, operation).resultFor?.(CALL, { userData: 'order-42' });
	expect(result?.callEvent).toMatchObject({ event, action, userData: 'order-42' });
});

it('a rehearsed call has a result only where somebody waits for it', () => {
	expect(rehearsalOf({ resultDelivery: 'trigger' }).resultFor).toBeUndefined();
	expect(rehearsalOf({ resultDelivery: 'none' }).resultFor).toBeUndefined();
});

it('a rehearsed call shows an address without its token, and all of the rest', () => {
	const address = 'https://n8n.example.com/webhook/4f9c/yuntongxun?a=1';
	const respUrl = `${address}&yt=start.${'a'.repeat(64)}`;
	const { showFields } = rehearsalOf({ resultDelivery: 'url', respUrl: address });
	expect(showFields?.({ to: '1', respUrl })).toEqual({ to: '1', respUrl: address });
	expect(showFields?.({ to: '1' })).toEqual({ to: '1' });
});

import type { IDataObject } from 'n8n-workflow';

import { sendNotification } from '../../../../nodes/Yuntongxun/resources/call/notify';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

const HOUR = 3_600_000;

/** What becomes of the result of a call that waits. */
function findWish(waitLimit: number, waitLimitUnit: string, byAgent = false) {
	const { parameters } = exampleForm('call', 'notify');
	const filled = { ...parameters, resultDelivery: 'wait', waitLimit, waitLimitUnit } as IDataObject;
	return sendNotification.prepare(buildForm(filled, { byAgent, defaultAppId: 'app' })).resultWish;
}

it.each([
	['90 seconds', 90, 'seconds', 90_000],
	['10 minutes', 10, 'minutes', 600_000],
	['a year', 365 * 24, 'hours', 365 * 24 * HOUR],
])('a call waits %s', (_what, limit, unit, maxWaitMs) => {
	expect(findWish(limit, unit)).toEqual({ kind: 'wait', event: 'voiceNotification', maxWaitMs });
});

it('a call does not wait for more than a year', () => {
	expect(() => findWish(365 * 24 + 1, 'hours')).toThrow(
		"'Max Wait Time' is longer than a year. Use one year at most.",
	);
});

it('an AI agent cannot wait for the result of a call', () => {
	expect(() => findWish(1, 'hours', true)).toThrow(
		"'When the Call Ends' is Wait for Result, which an AI agent cannot use. Choose another way to get the result, or Do Nothing.",
	);
});

import type { IDataObject } from 'n8n-workflow';

import { EXAMPLE_NUMBER, exampleForm } from '../../../support/exampleForms';
import { CREDENTIAL, sendThroughForm } from '../../../support/trip';

const APP_ID = CREDENTIAL.appId as string;

type Form = [resource: string, operation: string, parameters: IDataObject];

/** An example form of a call, with changes. */
const call = (operation: string, changes: IDataObject, options: IDataObject): Form => [
	'call',
	operation,
	{ ...(exampleForm('call', operation).parameters as IDataObject), ...changes, options },
];
const notify = (changes: IDataObject, options: IDataObject = {}) =>
	call('notify', changes, options);
const verify = (changes: IDataObject, options: IDataObject = {}) =>
	call('verify', changes, options);

/** The fields that arrive; complains if the form was refused or the request breaks a rule. */
async function arrivedFor(filled: Form): Promise<IDataObject> {
	const trip = await sendThroughForm(...filled);
	if ('refused' in trip) throw new Error(trip.refused);
	expect([...trip.violations, ...trip.fieldViolations]).toEqual([]);
	return Object.fromEntries(trip.content.fields);
}

describe('fields that another choice hides are neither sent nor checked', () => {
	const LEFTOVERS = {
		mediaTxt: { left: 'over' },
		mediaName: ['left over'],
		mediaNameType: 'left over',
		respUrl: 'left over',
		waitLimit: 'left over',
		codeLength: 99,
		verifyCode: 'left over',
		playVerifyCode: ['left over'],
	};
	const SPEECH = { txtSpeed: 9999, txtVolume: 'loud', txtPitch: 1.5, txtBgsound: '99' };

	it.each<[string, Form, IDataObject]>([
		[
			'notify of a text',
			notify(
				{ ...LEFTOVERS, content: 'text', mediaTxt: 'Hello', resultDelivery: 'none' },
				{ userData: { left: 'over' } },
			),
			{ mediaTxt: 'Hello' },
		],
		[
			'notify of audio',
			notify({ ...LEFTOVERS, content: 'audio', mediaName: 'a.wav', mediaNameType: '1' }, SPEECH),
			{ mediaName: 'a.wav', mediaNameType: '1' },
		],
		[
			'verify of a given code',
			verify({ ...LEFTOVERS, verifyCode: '1234' }),
			{ verifyCode: '1234' },
		],
		[
			'verify of own audio',
			verify({ ...LEFTOVERS, voice: 'custom', playVerifyCode: 'a.wav', verifyCode: null }),
			{ playVerifyCode: 'a.wav' },
		],
	])('%s', async (_what, filled, sent) => {
		expect(await arrivedFor(filled)).toEqual({ appId: APP_ID, to: EXAMPLE_NUMBER, ...sent });
	});
});

import type { IDataObject } from 'n8n-workflow';

import { EXAMPLE_FORMS, EXAMPLE_NUMBER, exampleForm } from '../../support/exampleForms';
import { CREDENTIAL, checkedItem, tripOf } from '../../support/trip';
import { requestOf } from '../support/tasks';

const APP_ID = CREDENTIAL.appId as string;

/** An example form of a call or an SMS, with changes. */
const form = (
	resource: string,
	operation: string,
	changes: IDataObject = {},
	options: IDataObject = {},
): [string, string, IDataObject] => [
	resource,
	operation,
	{ ...(exampleForm(resource, operation).parameters as IDataObject), ...changes, options },
];
const notify = (changes?: IDataObject, options?: IDataObject) =>
	form('call', 'notify', changes, options);
const verify = (changes?: IDataObject, options?: IDataObject) =>
	form('call', 'verify', changes, options);
const sms = (changes?: IDataObject, options?: IDataObject) => form('sms', 'send', changes, options);

/** The fields that arrive; complains if the form was refused or the request breaks a rule. */
async function arrivedFor(...filled: Parameters<typeof tripOf>): Promise<IDataObject> {
	const trip = await tripOf(...filled);
	if ('refused' in trip) throw new Error(trip.refused);
	expect([...trip.violations, ...trip.fieldViolations]).toEqual([]);
	const { fields, datas } = trip.content;
	return { ...Object.fromEntries(fields), ...(datas && { datas: [...datas] }) };
}

const refusalOf = async (...filled: Parameters<typeof tripOf>) => {
	const trip = await tripOf(...filled);
	return 'refused' in trip ? trip.refused : 'sent';
};

describe('fields that another choice hides are neither sent nor checked', () => {
	const LEFTOVERS = {
		mediaTxt: { left: 'over' },
		mediaName: ['left over'],
		mediaNameType: 'left over',
		respUrl: 'left over',
		waitLimit: 'left over',
		waitLimitUnit: 'left over',
		codeLength: 99,
		verifyCode: 'left over',
		playVerifyCode: ['left over'],
		limit: -1,
	};
	const SPEECH = { txtSpeed: 9999, txtVolume: 'loud', txtPitch: 1.5, txtBgsound: '99' };
	const DELIVERY = { signRespUrl: 'maybe' };

	it.each<[string, ReturnType<typeof form>, IDataObject]>([
		[
			'call.notify of a text',
			notify(
				{ ...LEFTOVERS, content: 'text', mediaTxt: 'Hello', resultDelivery: 'none' },
				DELIVERY,
			),
			{ mediaTxt: 'Hello' },
		],
		[
			'call.notify of audio',
			notify({ ...LEFTOVERS, content: 'audio', mediaName: 'a.wav', mediaNameType: '1' }, SPEECH),
			{ mediaName: 'a.wav', mediaNameType: '1' },
		],
		[
			'call.verify of a given code',
			verify({ ...LEFTOVERS, verifyCode: '1234' }, DELIVERY),
			{ verifyCode: '1234' },
		],
		[
			'call.verify of own audio',
			verify({ ...LEFTOVERS, voice: 'custom', playVerifyCode: 'a.wav', verifyCode: null }),
			{ playVerifyCode: 'a.wav' },
		],
	])('%s', async (_what, filled, sent) => {
		expect(await arrivedFor(...filled)).toEqual({ appId: APP_ID, to: EXAMPLE_NUMBER, ...sent });
	});

	it('subAccount.getAll that returns all', async () => {
		const all = form('subAccount', 'getAll', { ...LEFTOVERS, returnAll: true });
		expect(await arrivedFor(...all)).toEqual({ appId: APP_ID, startNo: '0', offset: '100' });
	});
});

describe('without an App ID in node and credential', () => {
	it.each(
		EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map(
			({ resource, operation }) => `${resource}.${operation}`,
		),
	)('%s is refused if it needs one', async (name) => {
		const [resource, operation] = name.split('.');
		const without = { ...CREDENTIAL, appId: '' };
		const needsNone = ['account.get', 'call.getResult', 'subAccount.close'].includes(name);
		expect(await refusalOf(...form(resource, operation), without)).toMatch(
			needsNone ? /^sent$/ : /^'App ID' is empty\. Enter one here or in the credential/,
		);
	});
});

/** The hints of a form that begin with these words. */
const hintsOf = (filled: ReturnType<typeof form>, beginning: string) =>
	(checkedItem(...filled).task.hints ?? []).filter((hint) => hint.startsWith(beginning));

describe('a Caller ID that is the called number', () => {
	it.each([
		[EXAMPLE_NUMBER, EXAMPLE_NUMBER, 1],
		['+86 138 0000 0005', EXAMPLE_NUMBER, 1],
		[EXAMPLE_NUMBER, '+86 138-0000-0005', 1],
		['01012345678', '+861012345678', 1],
		['01012345678-801', '861012345678-801', 1],
		['01012345678-801', '01012345678', 0],
		[EXAMPLE_NUMBER, '01012345678', 0],
	])('brings a hint for %s called from %s, of a notification only', (to, displayNum, count) => {
		const words = 'Caller ID is the number';
		const filled = notify({ to }, { displayNum });
		expect(requestOf(checkedItem(...filled).task).fields).toMatchObject({ displayNum });
		expect(hintsOf(filled, words)).toHaveLength(count);
		expect(hintsOf(verify({ to }, { displayNum }), words)).toEqual([]);
	});
});

describe('a number of seven or eight digits', () => {
	it.each([
		['1234567', 1],
		['12345678', 1],
		['12345678-801', 1],
		['123456', 0],
		['123456789', 0],
		['01012345678', 0],
		['+12345678', 0],
	])('brings a hint about its area code where it is called: %s', (to, count) => {
		const words = 'A number of seven or eight digits is called';
		expect(hintsOf(notify({ to }), words)).toHaveLength(count);
		expect(hintsOf(verify({ to }), words)).toHaveLength(count);
	});
});

it('SMS have the same text where application, template and variables are the same', () => {
	const keyOf = (changes: IDataObject) => {
		const { task } = checkedItem(...sms(changes));
		return task.kind === 'message' ? task.textId : undefined;
	};
	const plain = keyOf({});
	expect(plain).toBeDefined();
	expect(keyOf({ to: '13900000000' })).toBe(plain);
	for (const other of [
		keyOf({ appId: 'another' }),
		keyOf({ templateId: '1' }),
		keyOf({ datas: ['another', 'text'] }),
	]) {
		expect(other).not.toBe(plain);
	}
});

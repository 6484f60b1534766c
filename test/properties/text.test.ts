import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { FIELDS } from './support/fields';
import { hasOnlyBlanks, isWhole, typedText, xmlCanCarry } from './support/texts';
import { findDifferences, NO_DIFFERENCE } from '../support/differences';
import { CREDENTIAL, sendThroughForm } from '../support/trip';
import type { Arrival } from '../support/trip';

const NUMBER = '13800000000';
const NOTIFY = { to: NUMBER, content: 'text', mediaTxt: 'Hello', resultDelivery: 'none' };
const VERIFY = { to: NUMBER, voice: 'default', verifyCode: '3845' };
const SEND = { to: NUMBER, templateId: '100001', variablesMode: 'list', datas: ['42'] };
const TO_URL = { resultDelivery: 'url', respUrl: 'https://n8n.example.com/x' };
const NAMED = { friendlyName: 'shop', onDuplicate: 'error' };

/** A field that takes any text. */
interface FreeField {
	resource: string;
	operation: string;
	name: string;
	/** What else the form holds. */
	form: IDataObject;
	/** Whether blanks around the text are dropped, as the contract says of ids and names. */
	isTrimmed?: boolean;
	isOption?: boolean;
	/** Whether it has to hold more than marks that nobody sees. */
	isSeen?: boolean;
	/** Whether it names files, which blanks and empty names do not change. */
	isFiles?: boolean;
	/** What happens to an empty text; without it the field is left out. */
	empty?: 'refused' | 'default';
}

const FILES = { isTrimmed: true, isFiles: true };
const AUDIO = { ...NOTIFY, content: 'audio' };
const OWN_VOICE = { ...VERIFY, voice: 'custom' };

const FREE_OF_CALLS: Array<Omit<FreeField, 'resource'>> = [
	{ operation: 'notify', name: 'userData', form: { ...NOTIFY, ...TO_URL }, isOption: true },
	{ operation: 'verify', name: 'userData', form: { ...VERIFY, ...TO_URL }, isOption: true },
	{ operation: 'notify', name: 'displayNum', form: NOTIFY, isTrimmed: true, isOption: true },
	{ operation: 'verify', name: 'displayNum', form: VERIFY, isTrimmed: true, isOption: true },
	{ operation: 'notify', name: 'mediaTxt', form: NOTIFY, empty: 'refused' },
	{ operation: 'notify', name: 'mediaName', form: AUDIO, ...FILES, empty: 'refused' },
	{ operation: 'verify', name: 'playVerifyCode', form: OWN_VOICE, ...FILES, empty: 'refused' },
	{ operation: 'verify', name: 'welcomePrompt', form: VERIFY, ...FILES, isOption: true },
];

const FREE: FreeField[] = [
	...[
		{ resource: 'call', operation: 'notify', form: NOTIFY },
		{ resource: 'call', operation: 'verify', form: VERIFY },
		{ resource: 'sms', operation: 'send', form: SEND },
		{ resource: 'smsTemplate', operation: 'get', form: { templateId: '100001' } },
		{ resource: 'smsTemplate', operation: 'getAll', form: {} },
		{ resource: 'subAccount', operation: 'create', form: NAMED },
		{ resource: 'subAccount', operation: 'getByName', form: NAMED },
		{ resource: 'subAccount', operation: 'getAll', form: {} },
	].map((each): FreeField => ({ ...each, name: 'appId', isTrimmed: true, empty: 'default' })),
	...FREE_OF_CALLS.map((each): FreeField => ({ ...each, resource: 'call' })),
	...[
		{ resource: 'sms', operation: 'send', form: SEND },
		{ resource: 'smsTemplate', operation: 'get', form: {} },
	].map((each): FreeField => ({ ...each, name: 'templateId', isTrimmed: true, empty: 'refused' })),
	...['create', 'getByName'].map((operation): FreeField => ({
		resource: 'subAccount',
		operation,
		name: 'friendlyName',
		form: NAMED,
		isTrimmed: true,
		isSeen: true,
		empty: 'refused',
	})),
];

/** Fields with a strict rule. */
const RULED: Array<Pick<FreeField, 'resource' | 'operation' | 'name' | 'form' | 'isOption'>> = [
	...(['notify', 'verify'] as const).flatMap((operation) => {
		const form = { ...(operation === 'notify' ? NOTIFY : VERIFY), resultDelivery: 'url' };
		return [
			{ resource: 'call', operation, name: 'to', form: { ...form, resultDelivery: 'none' } },
			{ resource: 'call', operation, name: 'respUrl', form },
		];
	}),
	{ resource: 'call', operation: 'verify', name: 'verifyCode', form: VERIFY },
	{ resource: 'call', operation: 'getResult', name: 'callSid', form: {} },
	{ resource: 'sms', operation: 'send', name: 'to', form: SEND },
	{ resource: 'sms', operation: 'send', name: 'reqId', form: SEND, isOption: true },
	{ resource: 'sms', operation: 'send', name: 'subAppend', form: SEND, isOption: true },
	{ resource: 'subAccount', operation: 'close', name: 'subAccountSid', form: {} },
];

/** Text that is not sent. */
const NOT_SENT = ['allowedRecipients', 'idempotencyKey', 'resendToken', 'templateText'];

const describePlace = ({ resource, operation, name }: Omit<FreeField, 'form'>) =>
	`${resource} ${operation} ${name}`;

it('every field that takes text is in FREE or RULED, which are looked at below', () => {
	const all = FIELDS.filter(({ type }) => ['string', 'resourceLocator'].includes(type));
	const known = [
		...[...FREE, ...RULED].map(describePlace),
		...all.filter(({ name }) => NOT_SENT.includes(name)).map(describePlace),
		// Has a test of its own.
		'sms send datas',
		// The fields of calls and of SMS, looked at there.
		...['to', 'templateId', 'datas', 'displayNum', 'appId', 'reqId'].map(
			(name) => `verificationCode send ${name}`,
		),
		// Closing sends no application: the field only feeds the list.
		'subAccount close appId',
	];
	expect(findDifferences(known, all.map(describePlace))).toEqual(NO_DIFFERENCE);
});

const filledIn =
	({ form, name, isOption }: Omit<FreeField, 'resource' | 'operation'>) =>
	(text: unknown): IDataObject => ({
		...form,
		...(!isOption && { [name]: text as string }),
		options: { ...(isOption && { [name]: text as string }) },
	});

/** Text that got lost when it was read is refused in both formats. */
const isRefused = (text: string, format: string) =>
	text.includes('\ufffd') || (format === 'xml' ? !xmlCanCarry(text) : !isWhole(text));

/** What a person hears or reads of a text: whole characters, in XML blanks for what it cannot carry. */
const hear = (text: string, format: string) =>
	[...text]
		.filter(isWhole)
		.map((character) => (format === 'xml' && !xmlCanCarry(character) ? ' ' : character))
		.join('');

const othersThan = (name: string, { content: { fields, datas } }: Arrival) => [
	[...fields].filter(([each]) => each !== name),
	datas,
];

const filesIn = (text: string) =>
	text
		.split(/[;；]/)
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.join(';');

const refusal = () => ({ refused: expect.stringMatching(/^'[A-Z][^']+' /) as unknown });

/** How much Custom Data comes back with a result, in bytes. */
const MAX_USER_DATA_BYTES = 1024;

describe.each(['json', 'xml'])('in %s', (format) => {
	const account = { ...CREDENTIAL, wireFormat: format };
	/** What arrives when the field holds nothing special. */
	const ordinary = new Map<FreeField, Arrival>();

	beforeAll(async () => {
		for (const field of FREE) {
			const trip = await sendThroughForm(
				field.resource,
				field.operation,
				filledIn(field)('x'),
				account,
			);
			if ('refused' in trip) throw new Error(trip.refused);
			ordinary.set(field, trip);
		}
	});

	it('any text in any free field arrives as it was typed, or is refused', async () => {
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...FREE), typedText, async (field, typed) => {
				const { resource, operation, name, isTrimmed, isSeen, isFiles, empty } = field;
				const whole = isTrimmed ? typed.trim() : typed;
				const isHeard = name === 'mediaTxt';
				const expected = isHeard ? hear(whole, format) : isFiles ? filesIn(typed) : whole;
				const isTooLong = name === 'userData' && Buffer.byteLength(whole) > MAX_USER_DATA_BYTES;
				const trip = await sendThroughForm(resource, operation, filledIn(field)(typed), account);
				if (
					isTooLong ||
					(!isHeard && isRefused(expected, format)) ||
					((isTrimmed && !isSeen ? expected === '' : hasOnlyBlanks(expected)) &&
						empty === 'refused')
				) {
					expect(trip).toEqual(refusal());
					return;
				}
				if ('refused' in trip) throw new Error(trip.refused);
				expect(trip.violations).toEqual([]);
				expect(othersThan(name, trip)).toEqual(othersThan(name, ordinary.get(field) as Arrival));
				if (expected !== '') expect(trip.content.fields.get(name)).toBe(expected);
				else expect(trip.content.fields.has(name)).toBe(empty === 'default');
			}),
		);
	});

	it('any texts as variables arrive as they can be read, and in place', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(typedText, { minLength: 1, maxLength: 5 }), async (datas) => {
				const trip = await sendThroughForm('sms', 'send', { ...SEND, datas, options: {} }, account);
				if ('refused' in trip) throw new Error(trip.refused);
				const heard = datas.map((text) => hear(text, format));
				expect([trip.violations, trip.content.datas]).toEqual([[], heard]);
			}),
		);
	});

	it('any text in a field with a rule of its own keeps to it, or is refused', async () => {
		const nearly = fc
			.tuple(
				fc.constantFrom(
					NUMBER,
					'+86',
					'010-',
					'https://n8n.example.com/webhook/a',
					'http://',
					'a1',
				),
				fc.oneof(typedText, fc.constant('')),
				fc.constantFrom('', NUMBER, '-8', '/x?y=1', '#z'),
			)
			.map((parts) => parts.join(''));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...RULED),
				fc.oneof(typedText, nearly),
				async (field, typed) => {
					const { resource, operation } = field;
					const trip = await sendThroughForm(resource, operation, filledIn(field)(typed), account);
					if ('refused' in trip) expect(trip).toEqual(refusal());
					else expect([trip.violations, trip.fieldViolations]).toEqual([[], []]);
				},
			),
		);
	});
});

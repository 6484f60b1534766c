import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../../../nodes/Yuntongxun/operation/itemContext';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import type { FieldSet, Operation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { singleRequest, definedFields } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { validateItem } from '../../../nodes/Yuntongxun/executor/validateItem';
import type { ReadyTask } from '../../../nodes/Yuntongxun/executor/validateItem';
import { OPTIONS_OF_SENDING } from '../../../nodes/Yuntongxun/resources/sharedFields';
import type { Answer, Endpoint } from '../../../nodes/Yuntongxun/client/client';
import { formOf } from '../support/form';
import { NO_TOKENS } from '../support/tokens';

const ENDPOINT: Endpoint = {
	name: 'TemplateSMS',
	method: 'POST',
	path: 'SMS/TemplateSMS',
	root: 'TemplateSMS',
	changes: true,
};
const FIELDS = { to: '13800000000,13800000001', datas: ['1'] };
const ANSWER: Answer = { statusCode: '000000', text: () => '', records: [] };

/** An operation that reaches the given numbers. */
const operationFor = (to: string[] | undefined, options: FieldSet): Operation => ({
	value: 'send',
	name: 'Send',
	action: 'Send',
	description: 'Sends',
	endpoint: ENDPOINT,
	fields: {},
	options,
	prepare: () => singleRequest(ENDPOINT, FIELDS, ({ statusCode }) => ({ statusCode }), { to }),
});

const SENDING = operationFor(['13800000000', '13800000001'], OPTIONS_OF_SENDING);
/** Reaches nobody, and so offers no such options. */
const QUIET = operationFor(undefined, {});

const prepared = (options: IDataObject, changes: Partial<ItemContext> = {}, operation = SENDING) =>
	validateItem(operation, formOf({}, { options, ...changes }), () => SEND);

const SEND = jest.fn(async () => ANSWER);
beforeEach(() => SEND.mockClear());

async function completed(task: ReadyTask) {
	return { output: await task.complete?.(task.send, NO_TOKENS), sent: SEND.mock.calls };
}

describe('an item', () => {
	it('is sent once and gives its output', async () => {
		expect(await completed(prepared({}))).toEqual({
			output: [{ statusCode: '000000' }],
			sent: [[{ endpoint: ENDPOINT, fields: FIELDS }]],
		});
	});

	it('that breaks a rule is refused', () => {
		const broken = {
			...SENDING,
			prepare: () => {
				throw new ValidationError('no');
			},
		};
		expect(() => prepared({}, {}, broken)).toThrow(new ValidationError('no'));
	});
});

describe('allowed recipients', () => {
	it.each(['', '1380000000*', '13800000000, 13800000001', '*'])(
		'%j lets all through',
		(allowed) => {
			expect(prepared({ allowedRecipients: allowed }).to).toEqual(['13800000000', '13800000001']);
		},
	);

	it.each(['13800000000', '*1', '139*'])('%j refuses the item as a whole', (allowed) => {
		expect(() => prepared({ allowedRecipients: allowed })).toThrow(
			"'To' must name only numbers that Allowed Recipients lets through, but it holds a list",
		);
	});

	it('count in a dry run, too', () => {
		expect(() => prepared({ allowedRecipients: '139*', dryRun: true })).toThrow(ValidationError);
	});

	it('take no expression', () => {
		expect(() =>
			prepared(
				{ allowedRecipients: '*' },
				{ isExpression: (name) => name === 'allowedRecipients' },
			),
		).toThrow("'Allowed Recipients' takes no expression");
	});
});

describe('a dry run', () => {
	it('sends nothing and shows endpoint, fields and numbers', async () => {
		expect(await completed(prepared({ dryRun: true }))).toEqual({
			output: [
				{
					dryRun: true,
					endpoint: 'TemplateSMS',
					request: FIELDS,
					to: '13800000000,13800000001',
				},
			],
			sent: [],
		});
	});

	it('that is switched off sends', async () => {
		expect((await completed(prepared({ dryRun: false }))).sent).toHaveLength(1);
	});

	it('must be on or off', () => {
		expect(() => prepared({ dryRun: 'maybe' })).toThrow("'Dry Run' must be true or false");
	});
});

describe('options left over from another operation', () => {
	it('do not turn an item into a dry run', async () => {
		expect((await completed(prepared({ dryRun: true }, {}, QUIET))).sent).toHaveLength(1);
	});

	it('are not checked', () => {
		const leftOver = {
			dryRun: 'maybe',
			allowedRecipients: ['x'],
			idempotencyKey: ['x'],
			maxConcurrency: 0,
			requestsPerSecond: 'x',
			combineItems: 'maybe',
			wireFormat: 'neither',
			timeout: -1,
		};
		expect(() => prepared(leftOver, {}, QUIET)).not.toThrow();
	});
});

it('present drops what was left out, and nothing else', () => {
	expect(definedFields({ a: undefined, b: '', c: [], d: '0' })).toEqual({ b: '', c: [], d: '0' });
});

describe('an idempotency key', () => {
	it('goes along with the item', () => {
		expect(prepared({ idempotencyKey: 'order-42' }).idempotencyKey).toBe('order-42');
		expect(prepared({ idempotencyKey: '' }).idempotencyKey).toBeUndefined();
	});

	it('is not used up by a dry run, which reaches nobody', () => {
		const task = prepared({ idempotencyKey: 'order-42', dryRun: true });
		expect([task.idempotencyKey, task.to]).toEqual([undefined, undefined]);
	});
});

describe('the pace', () => {
	it.each([{ maxConcurrency: 0 }, { maxConcurrency: 1.5 }, { requestsPerSecond: -1 }])(
		'%j refuses the item that brings it',
		(options) => {
			expect(() => prepared(options)).toThrow(ValidationError);
		},
	);
});

describe('the client', () => {
	it.each<[IDataObject, string, number]>([
		[{}, 'json', 30_000],
		[{ wireFormat: 'xml', timeout: 1234 }, 'xml', 1234],
	])('for %j sends %s within %i ms', (options, format, timeout) => {
		const clientFor = jest.fn(() => SEND);
		validateItem(SENDING, formOf({}, { options }), clientFor);
		expect(clientFor).toHaveBeenCalledWith(format, timeout);
	});
});

it('items of another format or timeout are of another kind', () => {
	const kinds = [{}, { wireFormat: 'xml' }, { timeout: 1 }].map((each) => prepared(each).kind);
	expect(new Set(kinds).size).toBe(3);
	expect(prepared({ wireFormat: 'json', timeout: 30_000 }).kind).toBe(kinds[0]);
});

it.each([
	['Hello 42', { preview: 'Hello 42', characters: 8 }],
	['验证码😀', { preview: '验证码😀', characters: 5 }],
	['', { preview: '', characters: 0 }],
	[undefined, {}],
])('a dry run with the preview %j shows %j', async (preview, shown) => {
	const previewing = {
		...SENDING,
		prepare: () => ({ ...singleRequest(ENDPOINT, {}, () => ({})), preview }),
	};
	const [output] = (await completed(prepared({ dryRun: true }, {}, previewing))).output ?? [];
	expect(output).toEqual({
		dryRun: true,
		endpoint: 'TemplateSMS',
		request: {},
		to: undefined,
		...shown,
	});
});

describe('a limit per recipient', () => {
	it.each([
		[{}, undefined],
		[{ maxPerRecipient: 0 }, undefined],
		[{ maxPerRecipient: 3 }, { most: 3, period: 'day' }],
		[
			{ maxPerRecipient: 1, maxPerRecipientPeriod: 'hour' },
			{ most: 1, period: 'hour' },
		],
	])('%j limits the item to %j', (options, limit) => {
		expect(prepared(options).recipientLimit).toEqual(limit);
	});

	it('does not count a dry run, which reaches nobody', () => {
		expect(prepared({ maxPerRecipient: 3, dryRun: true }).recipientLimit).toBeUndefined();
	});
});

describe('the address in a dry run', () => {
	const dryRunWith = async (fields: Record<string, string>) => {
		const operation = { ...SENDING, prepare: () => singleRequest(ENDPOINT, fields, () => ({})) };
		const { output } = await completed(prepared({ dryRun: true }, {}, operation));
		return output?.[0].request;
	};

	it('shows no signature, and everything else', async () => {
		const respUrl = 'https://n8n.example.com/webhook/4f9c/call-result?a=1';
		const signed = `${respUrl}&ytExpires=1800000000&ytSignature=${'a'.repeat(64)}`;
		const shown = (await dryRunWith({ to: '13800000000', respUrl: signed })) as IDataObject;
		expect(shown.to).toBe('13800000000');
		expect(String(shown.respUrl)).toContain(respUrl);
		expect(JSON.stringify(shown)).not.toContain('aaaa');
	});

	it('is not there where the request has none', async () => {
		expect(await dryRunWith({ to: '13800000000' })).toEqual({ to: '13800000000' });
	});
});

it('an operation that offers no format makes its requests in JSON', () => {
	let asked: unknown[] = [];
	validateItem(QUIET, formOf(), (...format) => {
		asked = format;
		return SEND;
	});
	expect(asked).toEqual(['json', 30_000]);
});

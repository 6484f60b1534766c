import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../../nodes/Yuntongxun/resources/form';
import { FormRefusal } from '../../../nodes/Yuntongxun/resources/form';
import type { Operation, Task } from '../../../nodes/Yuntongxun/resources/operation';
import { oneRequest, present } from '../../../nodes/Yuntongxun/resources/operation';
import { prepareItem } from '../../../nodes/Yuntongxun/resources/prepare';
import { OPTIONS_OF_SENDING } from '../../../nodes/Yuntongxun/resources/sharedFields';
import type { Answer, Endpoint } from '../../../nodes/Yuntongxun/service/client';
import { formOf } from '../support/form';

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
const operationFor = (to: string[] | undefined, options = OPTIONS_OF_SENDING): Operation => ({
	value: 'send',
	name: 'Send',
	action: 'Send',
	description: 'Sends',
	endpoint: ENDPOINT,
	fields: [],
	options,
	prepare: () => oneRequest(ENDPOINT, FIELDS, ({ statusCode }) => ({ statusCode }), { to }),
});

const SENDING = operationFor(['13800000000', '13800000001']);
/** Reaches nobody, and so offers no such options. */
const QUIET = operationFor(undefined, []);

const prepared = (options: IDataObject, changes: Partial<Form> = {}, operation = SENDING) =>
	prepareItem(operation, formOf({}, { options, ...changes }));

async function completed(task: Task) {
	const send = jest.fn(async () => ANSWER);
	return { output: await task.complete?.(send), sent: send.mock.calls };
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
				throw new FormRefusal('no');
			},
		};
		expect(() => prepared({}, {}, broken)).toThrow(new FormRefusal('no'));
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
		expect(() => prepared({ allowedRecipients: '139*', dryRun: true })).toThrow(FormRefusal);
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
		};
		expect(() => prepared(leftOver, {}, QUIET)).not.toThrow();
	});
});

it('present drops what was left out, and nothing else', () => {
	expect(present({ a: undefined, b: '', c: [], d: '0' })).toEqual({ b: '', c: [], d: '0' });
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
			expect(() => prepared(options)).toThrow(FormRefusal);
		},
	);

	it('does not matter to a call that is waited for', () => {
		const wait = { until: new Date(), resumeUrl: 'https://n8n.example.com/webhook-waiting/7' };
		const waiting = {
			...SENDING,
			prepare: () => oneRequest(ENDPOINT, FIELDS, () => ({}), { wait }),
		};
		expect(() => prepared({ maxConcurrency: 0 }, {}, waiting)).not.toThrow();
	});
});

import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { readTemplateTexts, warnOfRehearsal } from '../../../nodes/Yuntongxun/executor/rehearse';
import type { Message } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { buildMadeUpId, isMadeUpId } from '../../../nodes/Yuntongxun/operation/rehearsal';
import type { RehearsedOutcome } from '../../../nodes/Yuntongxun/operation/rehearsal';
import { previewText } from '../../../nodes/Yuntongxun/resources/sms/variables';
import { call, buildItem, buildRehearsal, showItem, sms, SMS } from '../../support/messages';

const WAITING: Partial<Message> = {
	resultWish: { kind: 'wait', event: 'voiceNotification', maxWaitMs: 1000 },
};

describe('a made-up id', () => {
	it('has the numbers of execution, item and request, and is known as one', () => {
		const id = buildMadeUpId('1234', 56, 7);
		expect(id).toBe('00000000000000000012340000560007');
		expect(isMadeUpId(id)).toBe(true);
	});

	it.each(['15060215502645320001000300000001', '0'.repeat(31), ''])('%j is none', (id) => {
		expect(isMadeUpId(id)).toBe(false);
	});
});

describe('a rehearsed call that waits', () => {
	it.each<[RehearsedOutcome, boolean, number | null | undefined]>([
		['completed', true, 12],
		['noAnswer', false, 0],
		['failed', false, 0],
		['timeout', false, undefined],
	])('ends as chosen: %s', (outcome, answered, durationSeconds) => {
		const { outputs } = showItem(buildRehearsal(call(['1'], WAITING), { outcome }));
		expect(outputs[0]).toMatchObject({ dryRun: true, to: '1', outcome, answered });
		expect(outputs[0].durationSeconds).toBe(durationSeconds);
	});

	it('gives back the user data, as a result does', () => {
		const requestFor = () => ({ endpoint: SMS, fields: { userData: 'order-42' } });
		const { outputs } = showItem(buildRehearsal(call(['1'], { ...WAITING, requestFor })));
		expect(outputs[0]).toMatchObject({ userData: 'order-42' });
		const { outputs: without } = showItem(buildRehearsal(call(['1'], WAITING)));
		expect(without[0]).not.toHaveProperty('userData');
	});

	it('says nothing of a result where none is awaited', () => {
		const { outputs } = showItem(buildRehearsal(call(['1'])));
		expect(outputs[0]).not.toHaveProperty('outcome');
	});
});

it('a rehearsed SMS of several requests has an entry for each, with ids of their own', () => {
	const { outputs } = showItem(buildRehearsal(sms(['1', '2', '3'], 2)));
	const [first, second] = [buildMadeUpId('42', 0, 0), buildMadeUpId('42', 0, 1)];
	expect(outputs[0]).toMatchObject({
		smsMessageSid: first,
		to: '1,2,3',
		requests: 2,
		request: { endpoint: 'SMS', to: '1,2' },
		messages: [
			{ to: '1,2', smsMessageSid: first },
			{ to: '3', smsMessageSid: second },
		],
	});
});

describe('the text of a template', () => {
	const template = (id: string, variables: string[]): Partial<Message> => ({
		template: { appId: 'app', id, fill: (text) => previewText(text, variables) },
	});
	const records = [{ id: '7', content: 'Order {1}, {2}' }];
	const answering = () => ({ statusCode: '000000', text: () => '', records });

	it('is read once a run, and shows which variables are missing', async () => {
		const items = ['7', '8', '7'].map((id, index) =>
			buildRehearsal(call(['1'], template(id, ['42'])), { index }),
		);
		const send = jest.fn(async () => answering());
		await readTemplateTexts(items, () => send);
		expect(send).toHaveBeenCalledTimes(1);
		expect(items.map((item) => showItem(item).outputs[0].preview)).toEqual([
			'Order 42, {2}',
			undefined,
			'Order 42, {2}',
		]);
		expect(showItem(items[0]).outputs[0].characters).toBe('Order 42, {2}'.length);
	});

	it('is read of the application of the first item, for rehearsals alone', async () => {
		const other = template('7', ['42']);
		const items = [
			buildItem(0, call(['1'], template('7', ['42']))),
			buildRehearsal(call(['1']), { index: 1 }),
			buildRehearsal(call(['1'], template('7', ['42'])), { index: 2 }),
			buildRehearsal(call(['1'], { template: { ...other.template!, appId: 'another' } }), {
				index: 3,
			}),
		];
		const asked: string[] = [];
		await readTemplateTexts(items, () => async ({ fields }) => {
			asked.push(String(fields.appId));
			return await Promise.resolve(answering());
		});
		expect(asked).toEqual(['app']);
		const texts = items.map((item) => 'templateText' in item && item.templateText);
		expect(texts).toEqual([false, false, 'Order {1}, {2}', false]);
	});

	it('is not read for a run without a template', async () => {
		const send = jest.fn(async () => answering());
		await readTemplateTexts([buildRehearsal(call(['1']))], () => send);
		expect(send).not.toHaveBeenCalled();
	});

	it('a text that cannot be read leaves the item without a preview', async () => {
		const item = buildRehearsal(call(['1'], template('1', [])));
		await readTemplateTexts([item], () => async () => await Promise.reject(new Error('no')));
		expect(showItem(item).outputs[0]).not.toHaveProperty('preview');
	});

	it('is not read where the form has it', async () => {
		const preview = { preview: 'Hello', characters: 5 };
		const item = buildRehearsal(call(['1'], { ...template('7', []), preview }));
		const send = jest.fn(async () => answering());
		await readTemplateTexts([item], () => send);
		expect(send).not.toHaveBeenCalled();
		expect(showItem(item).outputs[0]).toMatchObject(preview);
	});
});

describe('a node that only rehearses', () => {
	const HINT =
		'This node only rehearses: nobody was called or texted. Remove Dry Run under Options to send.';
	const lines: string[] = [];
	const warned = (id: string, mode: WorkflowExecuteMode, items: Item[] = [REHEARSED]) => {
		const context = {
			getMode: () => mode,
			getNode: () => ({ id, name: 'Call' }),
			getWorkflow: () => ({ id: 'w' }),
			logger: { warn: (line: string) => void lines.push(line) },
		} as unknown as IExecuteFunctions;
		return warnOfRehearsal(context, items);
	};
	const REHEARSED = buildRehearsal(call(['1']));
	const LINE = `Yuntongxun: Call: ${HINT}`;

	beforeEach(() => {
		lines.length = 0;
		jest.useFakeTimers({ now: 1e12 });
	});
	afterEach(() => jest.useRealTimers());

	it('says so at each run in production, and in the log once an hour', () => {
		expect(warned('a', 'trigger')).toEqual([HINT]);
		jest.setSystemTime(1e12 + 59 * 60_000);
		expect(warned('a', 'trigger')).toEqual([HINT]);
		expect(lines).toEqual([LINE]);
		expect(warned('b', 'trigger')).toEqual([HINT]);
		expect(lines).toEqual([LINE, LINE]);
		jest.setSystemTime(1e12 + 60 * 60_000);
		warned('a', 'trigger');
		expect(lines).toEqual([LINE, LINE, LINE]);
	});

	it('is silent by hand, and where another item goes out', () => {
		expect(warned('c', 'manual')).toEqual([]);
		expect(warned('c', 'trigger', [REHEARSED, buildItem(1, call(['2']))])).toEqual([]);
		expect(lines).toEqual([]);
	});
});

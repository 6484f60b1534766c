import type { IExecuteFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { toCallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import type { Fields } from '../../../nodes/Yuntongxun/client/codec';
import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { readPreviews, warnOfRehearsal } from '../../../nodes/Yuntongxun/executor/rehearse';
import { buildMadeUpId, isMadeUpId } from '../../../nodes/Yuntongxun/operation/rehearsal';
import type { Rehearsal } from '../../../nodes/Yuntongxun/operation/rehearsal';
import { call, buildItem, buildRehearsal, showItem } from '../../support/messages';

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

/** A rehearsed message whose operation shows more of it. */
const rehearsed = (more: Partial<Rehearsal>, index = 0) => {
	const task = call(['1']);
	return buildRehearsal({ ...task, rehearse: () => ({ ...task.rehearse(), ...more }) }, index);
};
const outputOf = (item: Item) => showItem(item).outputs[0];

describe('a rehearsed call that waits', () => {
	const callEvent = toCallEvent({ callSid: 'c', state: '0', duration: '12' });

	it('has the result that its operation makes up of output and request, and its notification', () => {
		const resultFor = jest.fn(() => ({ callEvent, at: 0 }));
		expect(outputOf(rehearsed({ resultFor }))).toMatchObject({
			dryRun: true,
			to: '1',
			outcome: 'completed',
			durationSeconds: 12,
			notification: { state: '0' },
		});
		expect(resultFor).toHaveBeenCalledWith(
			{ statusCode: '000000', callSid: buildMadeUpId('42', 0, 0), to: '1' },
			{ to: '1' },
		);
	});

	it('ends at its limit if there is no result', () => {
		const json = outputOf(rehearsed({ resultFor: () => undefined }));
		expect(json).toMatchObject({ outcome: 'timeout', answered: false });
		expect(json).not.toHaveProperty('notification');
	});

	it('says nothing of a result where none is awaited', () => {
		expect(outputOf(rehearsed({}))).not.toHaveProperty('outcome');
	});
});

it('a rehearsed message hides in its request what its operation hides', () => {
	const showFields = (fields: Fields) => ({ ...fields, to: '…' });
	expect(outputOf(rehearsed({ showFields }))).toMatchObject({ to: '1', request: { to: '…' } });
});

describe('the text that a form does not contain', () => {
	const getClient = () => async () => await Promise.reject(new Error('nobody asks'));
	const readList = jest.fn(async () => await Promise.resolve(new Map([['7', 'Order {1}']])));
	const fill = (text: string) => ({ preview: `${text}!`, characters: text.length + 1 });
	const listing = (id: string, index: number, list = 'mine', more: Partial<Rehearsal> = {}) =>
		rehearsed({ listedText: { id, list, readList, fill }, ...more }, index);
	const previewsOf = (items: readonly Item[]) => items.map((item) => outputOf(item).preview);

	beforeEach(() => readList.mockClear());

	it('is read once a run, and only from the list of the first item', async () => {
		const items = [
			rehearsed({}),
			listing('7', 1),
			listing('8', 2),
			listing('7', 3),
			listing('7', 4, 'another'),
		];
		await readPreviews(items, getClient);
		expect(readList).toHaveBeenCalledTimes(1);
		expect(previewsOf(items)).toEqual([
			undefined,
			'Order {1}!',
			undefined,
			'Order {1}!',
			undefined,
		]);
		expect(outputOf(items[1]).characters).toBe('Order {1}!'.length);
	});

	it('is not read for what is sent, nor where the form has it', async () => {
		const preview = { preview: 'Hello', characters: 5 };
		const formed = listing('7', 0, 'mine', { preview });
		await readPreviews([formed, buildItem(1, listing('7', 1).task)], getClient);
		expect(readList).not.toHaveBeenCalled();
		expect(outputOf(formed)).toMatchObject(preview);
	});

	it('leaves the item without a preview where it cannot be read', async () => {
		readList.mockRejectedValueOnce(new Error('no'));
		const item = listing('7', 0);
		await readPreviews([item], getClient);
		expect(outputOf(item)).not.toHaveProperty('preview');
	});
});

describe('a node that only rehearses', () => {
	const HINT =
		'This node only rehearses: nobody was called or texted. Remove Dry Run under Options to send.';
	const lines: string[] = [];
	const warned = (mode: WorkflowExecuteMode, items: Item[] = [REHEARSED]) => {
		const context = {
			getMode: () => mode,
			getNode: () => ({ name: 'Call' }),
			logger: { warn: (line: string) => void lines.push(line) },
		} as unknown as IExecuteFunctions;
		return warnOfRehearsal(context, items);
	};
	const REHEARSED = buildRehearsal(call(['1']));

	beforeEach(() => void (lines.length = 0));

	it('says so in production, and in the log', () => {
		expect(warned('trigger')).toEqual([HINT]);
		expect(lines).toEqual([`Yuntongxun: Call: ${HINT}`]);
	});

	it('is silent by hand, and where another item goes out', () => {
		expect(warned('manual')).toEqual([]);
		expect(warned('trigger', [REHEARSED, buildItem(1, call(['2']))])).toEqual([]);
		expect(lines).toEqual([]);
	});
});

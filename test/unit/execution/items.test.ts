import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { runItems } from '../../../nodes/Yuntongxun/execution/items';
import { nodeOf, runOf, tryOf } from '../support/execution';

/** How an item ends. */
type Ending = 'good' | 'several' | 'none' | 'bad form' | 'refused' | 'unknown';

/** Items that end as told, and a diary of what is done for them. */
function workshop(...endings: Ending[]) {
	const diary: string[] = [];
	let sends = 0;
	const outputOf = (index: number): IDataObject[] => {
		const output = (part: string) => ({ statusCode: '000000', callSid: `call ${index}${part}` });
		switch (endings[index]) {
			case 'several':
				return [output('a'), output('b')];
			case 'none':
				return [];
			case 'good':
				return [{ ...output(''), send: ++sends }];
			default:
				diary.push(`fail ${index}`);
				throw new Error(endings[index]);
		}
	};
	return {
		diary,
		change: (index: number, ending: Ending) => {
			endings[index] = ending;
		},
		inputs: endings.map((_ending, index) => ({ index })),
		work: {
			prepare(index: number) {
				diary.push(`check ${index}`);
				if (endings[index] === 'bad form') throw new Error('bad form');
				const run = async () => {
					diary.push(`send ${index}`);
					await Promise.resolve();
					return outputOf(index);
				};
				return { hints: ['shared', `about ${index}`], run };
			},
			explain(thrown: unknown, index: number, sent: boolean) {
				const { message } = thrown as Error;
				return {
					error: new NodeOperationError(nodeOf(), `${message} ${index}`, { itemIndex: index }),
					report: { message, sent },
					mayHaveHappened: message === 'unknown',
				};
			},
			receipt: ({ callSid }: IDataObject) => ({ callSid }),
		},
	};
}

type Workshop = ReturnType<typeof workshop>;

const run = async (
	{ inputs, work }: Workshop,
	{ execution = runOf() as IExecuteData, continues = false } = {},
): Promise<INodeExecutionData[]> => await runItems(tryOf(execution, inputs, { continues }), work);

async function thrownBy(result: Promise<unknown>): Promise<NodeOperationError> {
	const thrown: unknown = await result.catch((error: unknown) => error);
	if (!(thrown instanceof NodeOperationError)) throw new Error('nothing thrown', { cause: thrown });
	return thrown;
}

describe('items that succeed', () => {
	it('are all checked before the first is sent, then sent in order', async () => {
		const shop = workshop('good', 'good', 'good');
		await run(shop);
		expect(shop.diary).toEqual(['check 0', 'check 1', 'check 2', 'send 0', 'send 1', 'send 2']);
	});

	it('give their outputs in order, each paired with its input', async () => {
		expect(await run(workshop('good', 'several', 'none', 'good'))).toEqual([
			{ json: { statusCode: '000000', callSid: 'call 0', send: 1 }, pairedItem: { item: 0 } },
			{ json: { statusCode: '000000', callSid: 'call 1a' }, pairedItem: { item: 1 } },
			{ json: { statusCode: '000000', callSid: 'call 1b' }, pairedItem: { item: 1 } },
			{ json: { statusCode: '000000', callSid: 'call 3', send: 2 }, pairedItem: { item: 3 } },
		]);
	});

	it('may be none at all', async () => {
		expect(await run(workshop())).toEqual([]);
	});
});

describe('without Continue', () => {
	it('one bad form sends nothing, and the first of them is thrown', async () => {
		const shop = workshop('good', 'bad form', 'good', 'bad form');
		const error = await thrownBy(run(shop));
		expect(shop.diary).toEqual(['check 0', 'check 1', 'check 2', 'check 3']);
		expect(error).toMatchObject({
			message: 'bad form 1',
			context: { itemIndex: 1, accepted: [], notAttempted: [0, 2] },
		});
	});

	it('a failed request ends the sending', async () => {
		const shop = workshop('good', 'several', 'refused', 'good', 'good');
		const error = await thrownBy(run(shop));
		expect(shop.diary.slice(5)).toEqual(['send 0', 'send 1', 'send 2', 'fail 2']);
		expect(error).toMatchObject({
			message: 'refused 2',
			context: {
				accepted: [
					{ itemIndex: 0, callSid: 'call 0' },
					{ itemIndex: 1, callSid: 'call 1a' },
					{ itemIndex: 1, callSid: 'call 1b' },
				],
				notAttempted: [3, 4],
			},
		});
	});

	it('what happened without leaving a receipt is not listed', async () => {
		const { inputs, work } = workshop('good', 'refused');
		const receipt = () => undefined;
		const error = await thrownBy(runItems(tryOf(runOf(), inputs), { ...work, receipt }));
		expect(error.context.accepted).toEqual([]);
	});
});

describe('with Continue', () => {
	it('a failed item becomes an error and the rest go on', async () => {
		const shop = workshop('bad form', 'good', 'refused', 'good');
		const items = await run(shop, { continues: true });
		expect(shop.diary).toEqual([
			...['check 0', 'check 1', 'check 2', 'check 3'],
			...['send 1', 'send 2', 'fail 2', 'send 3'],
		]);
		expect(items).toEqual([
			{ json: { error: { message: 'bad form', sent: false } }, pairedItem: { item: 0 } },
			{ json: expect.objectContaining({ callSid: 'call 1' }), pairedItem: { item: 1 } },
			{ json: { error: { message: 'refused', sent: true } }, pairedItem: { item: 2 } },
			{ json: expect.objectContaining({ callSid: 'call 3' }), pairedItem: { item: 3 } },
		]);
	});

	it('all items may fail', async () => {
		const items = await run(workshop('bad form', 'refused', 'unknown'), { continues: true });
		expect(items.map(({ json }) => Object.keys(json))).toEqual([['error'], ['error'], ['error']]);
	});
});

describe('another try of the same run', () => {
	it('gives again what was accepted and sends the rest', async () => {
		const [shop, execution] = [workshop('good', 'refused', 'good'), runOf()];
		await thrownBy(run(shop, { execution }));
		shop.change(1, 'good');
		shop.diary.length = 0;
		const items = await run(shop, { execution });
		expect(shop.diary).toEqual(['check 1', 'check 2', 'send 1', 'send 2']);
		expect(items.map(({ json: { callSid, send } }) => [callSid, send])).toEqual([
			['call 0', 1],
			['call 1', 2],
			['call 2', 3],
		]);
	});

	it('lists what an earlier try had accepted', async () => {
		const [shop, execution] = [workshop('good', 'refused', 'good'), runOf()];
		await thrownBy(run(shop, { execution }));
		const error = await thrownBy(run(shop, { execution }));
		expect(error.context).toMatchObject({
			accepted: [{ itemIndex: 0, callSid: 'call 0' }],
			notAttempted: [2],
		});
		expect(shop.diary.filter((entry) => entry === 'send 0')).toHaveLength(1);
	});

	it('never sends again what may have happened, nor anything behind it', async () => {
		const [shop, execution] = [workshop('unknown', 'good'), runOf()];
		const first = await thrownBy(run(shop, { execution }));
		const second = await thrownBy(run(shop, { execution }));
		expect(second.message).toBe(first.message);
		expect(second.context).toMatchObject({ accepted: [], notAttempted: [1] });
		expect(shop.diary.filter((entry) => entry.startsWith('send'))).toEqual(['send 0']);
	});

	it('with Continue gives again what was accepted or may have been, and repeats refusals', async () => {
		const [shop, execution] = [workshop('unknown', 'good', 'refused', 'bad form'), runOf()];
		const first = await run(shop, { execution, continues: true });
		shop.diary.length = 0;
		const second = await run(shop, { execution, continues: true });
		expect(shop.diary).toEqual(['check 2', 'check 3', 'send 2', 'fail 2']);
		expect(second).toEqual(first);
	});

	it('checks the rest as a whole before it sends', async () => {
		const [shop, execution] = [workshop('good', 'refused', 'good'), runOf()];
		await thrownBy(run(shop, { execution }));
		shop.change(2, 'bad form');
		shop.diary.length = 0;
		await thrownBy(run(shop, { execution }));
		expect(shop.diary).toEqual(['check 1', 'check 2']);
	});

	it('of another run of the same items starts anew', async () => {
		const shop = workshop('good', 'good');
		await run(shop);
		await run(shop);
		expect(shop.diary.filter((entry) => entry.startsWith('send'))).toEqual([
			...['send 0', 'send 1'],
			...['send 0', 'send 1'],
		]);
	});
});

describe('as a tool', () => {
	const ofAgent = () => runOf(nodeOf({ name: 'AI Agent' }));

	it('a second try with the same arguments sends nothing again', async () => {
		const [shop, execution] = [workshop('good'), ofAgent()];
		const first = await run(shop, { execution });
		expect(await run(shop, { execution })).toEqual(first);
		expect(shop.diary).toEqual(['check 0', 'send 0']);
	});

	it('a second call in the same run of the agent sends again', async () => {
		const [shop, execution] = [workshop('good'), ofAgent()];
		await run(shop, { execution });
		await run({ ...shop, inputs: shop.inputs.map((json) => ({ ...json })) }, { execution });
		expect(shop.diary).toEqual(['check 0', 'send 0', 'check 0', 'send 0']);
	});

	it('gives every hint once, in each try anew: n8n shows those of the last one', async () => {
		const { inputs, work, change } = workshop('good', 'refused', 'good');
		const execution = runOf();
		const first: string[] = [];
		const last: string[] = [];
		await thrownBy(runItems(tryOf(execution, inputs, { hints: first }), work));
		change(1, 'good');
		await runItems(tryOf(execution, inputs, { hints: last }), work);
		expect(first.sort()).toEqual(['about 0', 'about 1', 'about 2', 'shared']);
		expect(last.sort()).toEqual(['about 0', 'about 1', 'about 2', 'shared']);
	});
});

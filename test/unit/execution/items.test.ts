import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject, IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { nodeItems, outcomeOf, runItems } from '../../../nodes/Yuntongxun/execution/items';
import type {
	CheckedItem,
	ItemFailure,
	Job,
	Outcome,
	Turn,
} from '../../../nodes/Yuntongxun/execution/items';
import { NotBegun, RunStopped } from '../../../nodes/Yuntongxun/execution/notBegun';
import { nodeOf, runOf, tryOf } from '../support/execution';

/** How an item ends. */
type Ending = 'good' | 'several' | 'none' | 'bad form' | 'refused' | 'unknown' | 'partly';

function explain(thrown: unknown, index: number, task?: number): ItemFailure {
	const { message } = thrown as Error;
	return {
		error: new NodeOperationError(nodeOf(), `${message} ${index}`, { itemIndex: index }),
		report: { message, checked: task !== undefined },
		mayHaveHappened: message === 'unknown' || message === 'partly',
		receipts: message === 'partly' ? [{ callSid: `part of ${index}` }] : [],
	};
}

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
			check(index: number) {
				diary.push(`check ${index}`);
				if (endings[index] === 'bad form') throw new Error('bad form');
				return index;
			},
			plan: (items: Array<CheckedItem<number>>) => ({
				width: 1,
				jobs: items.map(({ index, task }): Job => ({
					items: [index],
					run: async () => {
						diary.push(`send ${index}`);
						await Promise.resolve();
						try {
							return [{ output: outputOf(index) }];
						} catch (thrown) {
							return [{ failure: explain(thrown, index, task) }];
						}
					},
				})),
			}),
			explain,
			receipt: ({ callSid }: IDataObject) => ({ callSid }),
			forLog: ({ callSid }: IDataObject) => ({ id: callSid }),
			hints: (tasks: number[]) => tasks.flatMap((index) => ['shared', `about ${index}`]),
		},
	};
}

type Workshop = ReturnType<typeof workshop>;

const run = async (
	{ inputs, work }: Workshop,
	{ execution = runOf() as IExecuteData, continues = false } = {},
): Promise<INodeExecutionData[]> =>
	nodeItems(await runItems(tryOf(execution, inputs, { continues }), work));

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

	it('what happened of a failed item is listed', async () => {
		const error = await thrownBy(run(workshop('good', 'partly', 'good')));
		expect(error.context).toMatchObject({
			accepted: [
				{ itemIndex: 0, callSid: 'call 0' },
				{ itemIndex: 1, callSid: 'part of 1' },
			],
			notAttempted: [2],
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
			{ json: { error: { message: 'bad form', checked: false } }, pairedItem: { item: 0 } },
			{ json: expect.objectContaining({ callSid: 'call 1' }), pairedItem: { item: 1 } },
			{ json: { error: { message: 'refused', checked: true } }, pairedItem: { item: 2 } },
			{ json: expect.objectContaining({ callSid: 'call 3' }), pairedItem: { item: 3 } },
		]);
	});

	it('all items may fail', async () => {
		const items = await run(workshop('bad form', 'refused', 'unknown'), { continues: true });
		expect(items.map(({ json }) => Object.keys(json))).toEqual([['error'], ['error'], ['error']]);
	});
});

describe('the items of a run', () => {
	it('come with their tasks and outcomes, those of earlier tries included', async () => {
		const [shop, execution] = [workshop('good', 'refused', 'bad form', 'unknown'), runOf()];
		const again = async () =>
			await runItems(tryOf(execution, shop.inputs, { continues: true }), shop.work);
		const first = await again();
		expect(first).toEqual([
			{ index: 0, task: 0, outcome: { output: [expect.objectContaining({ callSid: 'call 0' })] } },
			{ index: 1, task: 1, outcome: { failure: expect.anything() as unknown } },
			{ index: 2, outcome: { failure: expect.anything() as unknown } },
			{ index: 3, task: 3, outcome: { failure: expect.anything() as unknown } },
		]);
		const second = await again();
		expect(second.map((item, index) => item === first[index])).toEqual([true, false, false, true]);
	});
});

it.each([true, false])(
	'a plan that is refused fails every item, continuing: %p',
	async (continues) => {
		const shop = workshop('good', 'bad form', 'good');
		const work = {
			...shop.work,
			plan(): never {
				throw new NotBegun('too many');
			},
		};
		const result = runItems(tryOf(runOf(), shop.inputs, { continues }), work);
		if (!continues) {
			expect((await thrownBy(result)).context).toMatchObject({
				accepted: [],
				notAttempted: [],
			});
			return;
		}
		expect(nodeItems(await result).map(({ json }) => json)).toEqual([
			{ error: { message: 'too many', checked: true } },
			{ error: { message: 'bad form', checked: false } },
			{ error: { message: 'too many', checked: true } },
		]);
	},
);

describe('the outcome of work', () => {
	const outcome = async (work: Promise<IDataObject[]>) =>
		await outcomeOf(work, (thrown) => explain(thrown, 0));

	it('is its output, or the failure that is made of what it threw', async () => {
		expect(await outcome(Promise.resolve([{ a: 1 }]))).toEqual({ output: [{ a: 1 }] });
		expect(await outcome(Promise.reject(new Error('unknown')))).toMatchObject({
			failure: { mayHaveHappened: true },
		});
		expect(await outcome(Promise.reject(new NotBegun('no room')))).toMatchObject({
			failure: { report: { message: 'no room' } },
		});
	});

	it('is none where the run had stopped before it began', async () => {
		expect(await outcome(Promise.reject(new RunStopped()))).toBeUndefined();
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

type Ends = Array<Outcome | undefined>;

/** Jobs that the test ends, and which of them have begun. */
function controlled(...groups: number[][]) {
	const begun: number[] = [];
	const ends = new Map<number, (outcomes: Ends) => void>();
	const turns = new Map<number, Turn>();
	const shop = workshop(...groups.flat().map((): Ending => 'good'));
	const jobs = groups.map((items): Job => ({
		items,
		run: async (turn) => {
			begun.push(items[0]);
			turns.set(items[0], turn);
			return await new Promise((resolve) => ends.set(items[0], resolve));
		},
	}));
	return {
		...shop,
		begun,
		turn: (first: number) => turns.get(first) as Turn,
		end: async (first: number, ...outcomes: Ends) => {
			ends.get(first)?.(outcomes);
			await new Promise(setImmediate);
		},
		workAt: (width: number) => ({ ...shop.work, plan: () => ({ jobs, width }) }),
	};
}

const DONE = (id: string): Outcome => ({ output: [{ callSid: id }] });
const failed = (index: number, message = 'refused'): Outcome => ({
	failure: explain(new Error(message), index, index),
});

describe('several jobs at the same time', () => {
	it('begin in input order, as many as may, and come out in input order', async () => {
		const shop = controlled([0], [1], [2], [3]);
		const result = runItems(tryOf(runOf(), shop.inputs), shop.workAt(2));
		expect(shop.begun).toEqual([0, 1]);
		await shop.end(1, DONE('b'));
		expect(shop.begun).toEqual([0, 1, 2]);
		await shop.end(2, DONE('c'));
		expect(shop.begun).toEqual([0, 1, 2, 3]);
		await shop.end(3, DONE('d'));
		await shop.end(0, DONE('a'));
		expect(
			nodeItems(await result).map(({ json, pairedItem }) => [json.callSid, pairedItem]),
		).toEqual(['a', 'b', 'c', 'd'].map((id, item) => [id, { item }]));
	});

	it('of several items give each its own result', async () => {
		const shop = controlled([0, 2], [1]);
		const result = runItems(tryOf(runOf(), shop.inputs), shop.workAt(1));
		await shop.end(0, DONE('a'), DONE('c'));
		await shop.end(1, DONE('b'));
		expect(nodeItems(await result).map(({ json }) => json.callSid)).toEqual(['a', 'b', 'c']);
	});

	it('are no longer begun after a failure, and those under way still count', async () => {
		const shop = controlled([0], [1], [2], [3]);
		const error = thrownBy(runItems(tryOf(runOf(), shop.inputs), shop.workAt(2)));
		await shop.end(1, failed(1));
		await shop.end(0, DONE('a'));
		expect(shop.begun).toEqual([0, 1]);
		expect(await error).toMatchObject({
			message: 'refused 1',
			context: { accepted: [{ itemIndex: 0, callSid: 'a' }], notAttempted: [2, 3] },
		});
	});

	it('throw the failure of the lowest index, whichever came first', async () => {
		const shop = controlled([0], [1]);
		const error = thrownBy(runItems(tryOf(runOf(), shop.inputs), shop.workAt(2)));
		await shop.end(1, failed(1));
		await shop.end(0, failed(0));
		expect((await error).message).toBe('refused 0');
	});

	it('learn that the run has stopped, also from a job that is not through', async () => {
		const shop = controlled([0], [1], [2]);
		const error = thrownBy(runItems(tryOf(runOf(), shop.inputs), shop.workAt(2)));
		expect(shop.turn(1).proceed()).toBe(true);
		shop.turn(0).failed();
		expect(shop.turn(1).proceed()).toBe(false);
		await shop.end(1, undefined);
		await shop.end(0, failed(0));
		expect((await error).context).toMatchObject({ accepted: [], notAttempted: [1, 2] });
	});

	it('go on with Continue', async () => {
		const shop = controlled([0], [1]);
		const context = tryOf(runOf(), shop.inputs, { continues: true });
		const result = runItems(context, shop.workAt(1));
		shop.turn(0).failed();
		expect(shop.turn(0).proceed()).toBe(true);
		await shop.end(0, failed(0));
		await shop.end(1, DONE('b'));
		expect(nodeItems(await result).map(({ json }) => json)).toEqual([
			{ error: { message: 'refused', checked: true } },
			{ callSid: 'b' },
		]);
	});
});

describe('a run that the user stops', () => {
	it('begins nothing more and logs what was accepted, and what may have been', async () => {
		const shop = controlled([0], [1], [2], [3]);
		const stop = new AbortController();
		const log: string[] = [];
		const context = tryOf(runOf(), shop.inputs, { continues: true, cancelled: stop.signal, log });
		const result = runItems(context, shop.workAt(2));
		stop.abort();
		expect(shop.turn(1).proceed()).toBe(false);
		await shop.end(0, DONE('a'));
		await shop.end(1, failed(1, 'unknown'));
		await result;
		expect(shop.begun).toEqual([0, 1]);
		expect(log).toEqual([
			'Execution stopped by the user. Accepted by then: [{"itemIndex":0,"id":"a"}]. Perhaps accepted, by item: [1].',
		]);
	});

	it.each<[string, Outcome, string]>([
		[
			'only what was accepted',
			DONE('a'),
			'Accepted by then: [{"itemIndex":0,"id":"a"}]. Perhaps accepted, by item: [].',
		],
		[
			'only what may have been',
			failed(0, 'unknown'),
			'Accepted by then: []. Perhaps accepted, by item: [0].',
		],
	])('logs %s, and gives no item for what was not begun', async (_what, end, words) => {
		const shop = controlled([0], [1]);
		const stop = new AbortController();
		const log: string[] = [];
		const context = tryOf(runOf(), shop.inputs, { continues: true, cancelled: stop.signal, log });
		const result = runItems(context, shop.workAt(1));
		stop.abort();
		await shop.end(0, end);
		expect(nodeItems(await result).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(log).toEqual([`Execution stopped by the user. ${words}`]);
	});

	it('logs nothing where nothing was accepted', async () => {
		const shop = controlled([0]);
		const log: string[] = [];
		const cancelled = AbortSignal.abort();
		await runItems(tryOf(runOf(), shop.inputs, { cancelled, log }), shop.workAt(1));
		expect([shop.begun, log]).toEqual([[], []]);
	});

	it('logs nothing where nobody stopped it', async () => {
		const shop = controlled([0]);
		const log: string[] = [];
		const { signal: cancelled } = new AbortController();
		const result = runItems(tryOf(runOf(), shop.inputs, { cancelled, log }), shop.workAt(1));
		await shop.end(0, DONE('a'));
		expect([nodeItems(await result), log]).toEqual([
			[expect.objectContaining({ pairedItem: { item: 0 } })],
			[],
		]);
	});
});

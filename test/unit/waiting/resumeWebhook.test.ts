import type { IDataObject } from 'n8n-workflow';

import type { CallResult } from '../../../nodes/Yuntongxun/callbacks/notification';
import type { Sender } from '../../../nodes/Yuntongxun/waiting/knock';
import { mailbox } from '../../../nodes/Yuntongxun/waiting/mailbox';
import { findEarlierOutput } from '../../../nodes/Yuntongxun/waiting/parkedWait';
import { answerKnock } from '../../../nodes/Yuntongxun/waiting/resumeWebhook';
import { useFakeClock } from '../../support/fakeClock';
import { buildNode, deliver } from '../../support/fakeN8n';
import type { Delivered, Delivery } from '../../support/fakeN8n';
import { toResult } from '../../support/notifications';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const LIMIT = NOW + HOUR;

useFakeClock(NOW);

let waits = 0;

/** An n8n that answers no knock of the mailbox. */
const SILENT = {
	helpers: { httpRequest: async () => await new Promise(() => {}) },
	logger: { warn: () => {} },
} as unknown as Sender;

/** An execution that waits for these calls, in a wait of its own, as it comes out of n8n's database. */
function park(callSids: Array<string | null> = ['c1']) {
	const id = `w${++waits}`;
	const items = callSids.map((callSid, item) => ({
		json: { callSid, to: '13800000000', outcome: 'timeout', answered: false },
		pairedItem: { item },
	}));
	const wait = { id, until: LIMIT, resumableUntil: LIMIT + 70_000, callSids };
	const data = { main: [items], yuntongxunWait: [[{ json: wait as IDataObject }]] };
	const put = (...results: CallResult[]) =>
		mailbox.put(SILENT, [''], { execution: '7', waitId: id }, results);
	/** Each request loads the execution anew. */
	const load = () => ({ executionData: { nodeExecutionStack: [{ data: structuredClone(data) }] } });
	return { id, put, load, warnings: [] as string[] };
}

type Parked = Pick<ReturnType<typeof park>, 'id' | 'warnings'> & { load(): object | undefined };

/** Knocks at an execution. */
async function knock(
	{ id, load, warnings }: Parked,
	{ stored = load(), ...changes }: Partial<Delivery> & { stored?: object } = {},
): Promise<Delivered> {
	const url = `https://n8n.example.com/webhook-waiting/7/yuntongxun-result?ytWait=${id}`;
	const answered = await deliver(
		answerKnock,
		{ url, body: undefined, ...changes },
		{
			getExecutionId: () => '7',
			logger: { warn: (text: string) => void warnings.push(text) },
			runExecutionData: stored,
			// The credential may have changed, be gone, or an expression that reads the run.
			getCredentials: async () => await Promise.reject(new Error('The credential was read')),
		},
	);
	await jest.advanceTimersByTimeAsync(200);
	return answered;
}

const said = ({ body }: Delivered) => JSON.parse(body) as IDataObject;
const outcomes = ({ items }: Delivered) => items?.map(({ json }) => json.outcome);

describe('a knock', () => {
	it('resumes with the fields of the call and of its result, once every call has one', async () => {
		const parked = park(['c1', null, 'c2']);
		parked.put(toResult('c1', { state: '0', duration: '30' }, 1000));
		expect(said(await knock(parked))).toEqual({ wait: 'waiting', leftMs: HOUR, results: 1 });
		parked.put(toResult('c2'));
		const answer = await knock(parked);
		expect([answer.status, answer.type, said(answer)]).toEqual([
			200,
			'application/json',
			{ wait: 'resumed' },
		]);
		expect(outcomes(answer)).toEqual(['completed', 'timeout', 'noAnswer']);
		expect(answer.items?.[0]).toMatchObject({
			json: {
				to: '13800000000',
				callSid: 'c1',
				event: 'voiceNotification',
				answered: true,
				durationSeconds: 30,
				receivedAt: new Date(1000).toISOString(),
				notification: { duration: '30' },
			},
			pairedItem: { item: 0 },
		});
	});

	it.each<[string, Record<string, string>, boolean]>([
		['of the other kind', { action: 'VoiceCode' }, true],
		['of an unknown kind with a state', { action: 'Hangup' }, true],
		['of no kind with a state', { action: '' }, true],
		['of a known kind without a state', { state: '' }, true],
		['with neither', { action: '', state: '' }, false],
	])('resumes before the limit with a result %s: %j %s', async (_, members, resumes) => {
		const parked = park();
		parked.put(toResult('c1', members));
		expect((await knock(parked)).items !== undefined).toBe(resumes);
		jest.setSystemTime(LIMIT);
		if (!resumes) expect(outcomes(await knock(parked))).toEqual(['unknown']);
	});

	it('resumes at the limit with what has come', async () => {
		const parked = park(['c1', 'c2']);
		parked.put(toResult('c2'));
		jest.setSystemTime(LIMIT - 1);
		expect(said(await knock(parked))).toEqual({ wait: 'waiting', leftMs: 1, results: 1 });
		jest.setSystemTime(LIMIT);
		expect(outcomes(await knock(parked))).toEqual(['timeout', 'noAnswer']);
	});

	it('resumes 20 seconds after the limit in a process without results, since another may have some', async () => {
		const parked = park();
		jest.setSystemTime(LIMIT + 19_999);
		expect(said(await knock(parked))).toEqual({ wait: 'waiting', leftMs: 0, results: 0 });
		jest.setSystemTime(LIMIT + 20_000);
		expect(outcomes(await knock(parked))).toEqual(['timeout']);
	});

	it('resumes nothing when n8n’s own timer is near, even if no result is missing', async () => {
		const parked = park();
		parked.put(toResult('c1'));
		jest.setSystemTime(LIMIT + 70_000);
		const answer = await knock(parked);
		expect([said(answer), answer.items]).toEqual([{ wait: 'soon' }, undefined]);
	});

	it.each<[string, Partial<Parked>]>([
		['for another wait', { id: 'other' }],
		['without an id', { id: '' }],
		['where nothing is parked', { load: () => undefined }],
		[
			'at a node that something else has parked',
			{ load: () => ({ executionData: { nodeExecutionStack: [{ data: { main: [[]] } }] } }) },
		],
	])('%s is told so, and resumes nothing', async (_, changes) => {
		const parked = park();
		parked.put(toResult('c1'));
		const answer = await knock({ ...parked, ...changes });
		expect([said(answer), answer.items]).toEqual([{ wait: 'other' }, undefined]);
		expect((await knock(parked)).items).toHaveLength(1);
	});

	it('hands over no result, whatever it holds', async () => {
		const parked = park();
		const result = JSON.stringify({ action: 'SellingCall', callSid: 'c1', state: '0' });
		for (const body of [result, JSON.stringify({ ytResults: [{ receivedAt: 1, body: result }] })]) {
			expect((await knock(parked, { body })).items).toBeUndefined();
		}
		expect(mailbox.getResults(parked.id).size).toBe(0);
	});

	it('never throws, which would end the execution', async () => {
		const parked = park();
		const wait = { id: parked.id, until: 0, resumableUntil: LIMIT };
		const data = { main: [[]], yuntongxunWait: [[{ json: wait }]] };
		const broken = { executionData: { nodeExecutionStack: [{ data }] } };
		expect(said(await knock(parked, { stored: broken }))).toEqual({ wait: 'soon' });
		expect(parked.warnings).toEqual([
			expect.stringMatching(/^Yuntongxun: waiting execution 7 could not go on: Cannot read/),
		]);
	});
});

describe('of several knocks', () => {
	it('one resumes, and the others hear "soon": at the same moment, and later', async () => {
		const parked = park();
		parked.put(toResult('c1'));
		const answers = await Promise.all(Array.from({ length: 10 }, async () => await knock(parked)));
		answers.push(await knock(parked));
		expect(answers.filter(({ items }) => items !== undefined)).toHaveLength(1);
		expect(answers.slice(1).map(said)).toEqual(Array(10).fill({ wait: 'soon' }));
	});

	it.each<[string, Partial<Delivery>, boolean]>([
		['again where n8n could not resume it', { status: 500 }, true],
		['once, if it could', { status: 200 }, false],
	])('one resumes %s', async (_, ending, again) => {
		const parked = park();
		parked.put(toResult('c1'));
		expect(outcomes(await knock(parked, ending))).toEqual(['noAnswer']);
		expect(outcomes(await knock(parked))).toEqual(again ? ['noAnswer'] : undefined);
	});
});

describe('after the resume', () => {
	it('an empty wait is left: a knock resumes nothing, and the node passes its items on', async () => {
		const parked = park();
		parked.put(toResult('c1'));
		const stored = parked.load();
		const { items = [] } = await knock(parked, { stored });
		const [entry] = stored.executionData.nodeExecutionStack;
		// What n8n does with what the webhook returns.
		entry.data.main = [items as never];
		expect(said(await knock(parked, { stored }))).toEqual({ wait: 'other' });
		expect(runAgain(entry.data)).toEqual(items);
	});

	it('by n8n’s own timer, or in a retry of a stopped wait, the node passes on what was parked', () => {
		const [{ data }] = park().load().executionData.nodeExecutionStack;
		expect(runAgain(data)?.map(({ json }) => json.outcome)).toEqual(['timeout']);
	});

	it('a node that has placed no calls yet runs', () => {
		expect(runAgain({ main: [[{ json: {} }]] })).toBeUndefined();
	});

	/** What the node gives at once where n8n runs it with this input. */
	const runAgain = (data: object) =>
		findEarlierOutput({ getExecuteData: () => ({ data, node: buildNode() }) } as never);
});

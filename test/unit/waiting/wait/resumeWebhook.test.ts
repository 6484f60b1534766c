import type { IDataObject } from 'n8n-workflow';

import { buildResumeUrl, hashSecret } from '../../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { writeEnvelope } from '../../../../nodes/Yuntongxun/callbacks/envelope';
import { resumeWithResults } from '../../../../nodes/Yuntongxun/waiting/wait/resumeWebhook';
import { ACKNOWLEDGEMENT, buildNode, deliver } from '../../../support/fakeN8n';
import type { Delivered } from '../../../support/fakeN8n';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RESULT = { action: 'SellingCall', callSid: 'c1', number: '1', state: '1', duration: '0' };

const toSecret = (wait: string) => Buffer.from(wait.padEnd(16, '.'));
const addressOf = (wait: string) =>
	buildResumeUrl('https://n8n.example.com/webhook-waiting', {
		execution: '7',
		secret: toSecret(wait),
	});
/** The credential may have changed, be gone, or an expression that reads the run. */
const unwanted = async () => await Promise.reject(new Error('The credential was read'));
const buildEnvelope = (...results: object[]) =>
	writeEnvelope(
		results.map((result) => ({ body: JSON.stringify({ ...RESULT, ...result }), receivedAt: 1000 })),
	);
const resultsOfCalls = (...calls: string[]) =>
	buildEnvelope(...calls.map((callSid) => ({ callSid })));

/** What the parked node's data hold of a wait. */
function holdWait(
	wait: string,
	callSids: Array<string | null>,
	until: number,
	resumableUntil: number,
) {
	const items = callSids.map((callSid, item) => ({
		json: { callSid, to: '13800000000', outcome: 'timeout', answered: false },
		pairedItem: { item },
	}));
	const facts = { secretHash: hashSecret(toSecret(wait)), until, resumableUntil, callSids };
	return { main: [items], yuntongxunWait: [[{ json: facts }]] };
}

const park = (data: object) => ({ executionData: { nodeExecutionStack: [{ data }] } });

let waits = 0;

/** A wait of its own, and what is delivered to it. */
function buildParts({
	wait = `w${++waits}`,
	calls = ['c1'] as Array<string | null>,
	until = Date.now() + HOUR,
	resumableUntil = Date.now() + 2 * HOUR,
}) {
	return {
		url: addressOf(wait),
		body: JSON.stringify(RESULT) as string | Buffer | undefined,
		parked: park(holdWait(wait, calls, until, resumableUntil)) as unknown,
		readRawBody: async () => {},
		warn: (() => {}) as (words: string) => unknown,
		/** With which n8n's answer ends; undefined if the caller leaves before. */
		status: 200 as number | undefined,
	};
}

type Parts = Parameters<typeof buildParts>[0] & Partial<ReturnType<typeof buildParts>>;

/** One delivery to an execution that waits, in a wait of its own, but for what is changed. */
async function delivered(changes: Parts = {}): Promise<Delivered> {
	const { parked, warn, ...delivery } = { ...buildParts(changes), ...changes };
	return await deliver(resumeWithResults, delivery, {
		getExecutionId: () => '7',
		getNode: () => buildNode({ id: `n${waits}` }),
		getWorkflow: () => ({ id: 'w' }),
		getCredentials: unwanted,
		runExecutionData: parked,
		logger: { warn },
	});
}

const outcomes = ({ items }: Delivered) => items?.map(({ json }) => json.outcome);
const said = ({ body }: Delivered) => JSON.parse(body) as IDataObject;

describe('a result that comes directly', () => {
	it('resumes with the fields of the call and of a trigger item', async () => {
		expect(await delivered()).toEqual({
			status: 200,
			type: 'application/xml',
			body: ACKNOWLEDGEMENT,
			items: [
				{
					json: {
						...RESULT,
						to: '13800000000',
						event: 'voiceNotification',
						outcome: 'noAnswer',
						answered: false,
						durationSeconds: 0,
						receivedAt: expect.any(String) as string,
						notification: RESULT,
					},
					pairedItem: { item: 0 },
				},
			],
		});
	});

	it('leaves no wait in the execution that goes on, so that nothing resumes it after a crash', async () => {
		const until = Date.now() + HOUR;
		const data = holdWait('crash', ['c1'], until, until);
		const parked = park(data);
		const first = await delivered({ wait: 'crash', parked });
		expect(first.items).toHaveLength(1);
		// n8n stores the execution as it is now when it starts to go on.
		expect(Object.keys(data)).toEqual(['main']);
		const again = await delivered({ wait: 'crash', parked, body: resultsOfCalls('c1') });
		expect([again.items, said(again)]).toEqual([undefined, { wait: 'other' }]);
	});

	it('resumes once, of ten at the same moment', async () => {
		const wait = 'ten';
		const all = await Promise.all(
			Array.from({ length: 10 }, async () => await delivered({ wait })),
		);
		expect(all.map(({ body }) => body)).toEqual(Array(10).fill(ACKNOWLEDGEMENT));
		expect(all.filter(({ items }) => items !== undefined)).toHaveLength(1);
	});

	it.each([
		[500, 'again, sent again, where n8n could not resume it', ['noAnswer']],
		[undefined, 'once, if the caller left before n8n answered', undefined],
	])('resumes %s: %s', async (status, _, outcome) => {
		const wait = `w${++waits}`;
		expect(outcomes(await delivered({ wait, status }))).toEqual(['noAnswer']);
		expect(outcomes(await delivered({ wait }))).toEqual(outcome);
	});

	it.each<[string, IDataObject, number]>([
		['another call', { callSid: 'c2' }, HOUR],
		['a report on an SMS', { action: 'SMSArrived', smsType: '1', content: 's1' }, HOUR],
		['what says neither what it is nor how the call ended', { action: 'Hangup', state: '' }, HOUR],
		['the call, once its limit has passed', {}, -1],
	])('a result of %s is acknowledged and resumes nothing', async (_, changes, leftMs) => {
		const body = JSON.stringify({ ...RESULT, ...changes });
		const until = Date.now() + leftMs;
		const answer = await delivered({ body, until, resumableUntil: until });
		expect(answer).toMatchObject({ body: ACKNOWLEDGEMENT, items: undefined });
	});

	it.each<[string, IDataObject, string]>([
		['of the other kind', { action: 'VoiceCode' }, 'noAnswer'],
		['of an unknown kind', { action: 'Hangup' }, 'noAnswer'],
		['of no kind', { action: '' }, 'noAnswer'],
		['of a known kind without a state', { state: '' }, 'unknown'],
	])('a result with the awaited callSid resumes: %s', async (_, changes, outcome) => {
		const body = JSON.stringify({ ...RESULT, ...changes });
		expect(outcomes(await delivered({ body }))).toEqual([outcome]);
	});

	it('several at once are each taken that the wait awaits', async () => {
		const all = ['c2', 'c9', 'c1'].map((callSid) => ({ ...RESULT, callSid }));
		const body = JSON.stringify({ Request: all });
		expect(outcomes(await delivered({ calls: ['c1', 'c2'], body }))).toEqual([
			'noAnswer',
			'noAnswer',
		]);
	});

	it.each(['hello', '', ' ', '{}', '[]', 'null', '{"action":"CallAuth","callSid":"c1"}', '<a><b>'])(
		'of %j is refused',
		async (body) => {
			expect(await delivered({ body })).toMatchObject({ status: 400, items: undefined });
		},
	);

	it('a result to the address of another wait is refused, and does not use up the resume', async () => {
		const wait = 'own';
		for (const body of [JSON.stringify(RESULT), 'hello']) {
			const answer = await delivered({ wait, url: addressOf('other'), body });
			expect(answer).toMatchObject({ status: 403, items: undefined });
		}
		expect((await delivered({ wait })).items).toHaveLength(1);
	});

	it('a result where nothing waits is refused', async () => {
		expect(await delivered({ parked: undefined })).toMatchObject({ status: 403, items: undefined });
	});
});

describe('results that a trigger passes on', () => {
	it('resume if none is missing, and keep the moment at which they came', async () => {
		const answer = await delivered({ calls: ['c1', 'c2'], body: resultsOfCalls('c2', 'c1') });
		expect(answer.body).toBe(ACKNOWLEDGEMENT);
		expect(outcomes(answer)).toEqual(['noAnswer', 'noAnswer']);
		expect(answer.items?.[0].json.receivedAt).toBe(new Date(1000).toISOString());
	});

	it('are answered with the milliseconds that are left, while some are missing', async () => {
		jest.useFakeTimers({ now: 10_000 });
		const body = resultsOfCalls('c2');
		const answer = await delivered({ calls: ['c1', 'c2'], until: 17_500, body });
		jest.useRealTimers();
		expect(answer).toMatchObject({ status: 200, type: 'application/json', items: undefined });
		expect(said(answer)).toEqual({ wait: 'waiting', leftMs: 7500 });
	});

	it('add up, and items without a call are not waited for', async () => {
		const given = { wait: 'sum', calls: ['c1', null, 'c2', 'c3'] };
		for (const one of ['c1', 'c2']) {
			expect(said(await delivered({ ...given, body: resultsOfCalls(one) })).wait).toBe('waiting');
		}
		const last = await delivered({ ...given, body: resultsOfCalls('c3') });
		expect(outcomes(last)).toEqual(['noAnswer', 'timeout', 'noAnswer', 'noAnswer']);
		const late = await delivered({ ...given, body: resultsOfCalls('c3') });
		expect([late.body, late.items]).toEqual([ACKNOWLEDGEMENT, undefined]);
	});

	it('count once for each call: the first of several reports', async () => {
		const calls = ['c1', 'c2'];
		const body = buildEnvelope({ state: '2' }, { state: '0' }, { callSid: 'c2' });
		expect(outcomes(await delivered({ calls, body }))).toEqual(['failed', 'noAnswer']);
	});

	it('results without action and state give way to one that says how the call ended', async () => {
		const given = { wait: 'vague', calls: ['c1', 'c2'] };
		const vague = { action: '', state: '' };
		await delivered({ ...given, body: buildEnvelope(vague, { callSid: 'c2' }) });
		expect(outcomes(await delivered({ ...given, body: buildEnvelope({ state: '0' }) }))).toEqual([
			'completed',
			'noAnswer',
		]);
	});

	it('results without action and state count when the limit passes', async () => {
		const vague = buildEnvelope({ action: '', state: '' });
		expect(said(await delivered({ body: vague })).wait).toBe('waiting');
		expect(outcomes(await delivered({ until: Date.now() - 1, body: vague }))).toEqual(['unknown']);
	});

	it('are kept where n8n could not resume the execution', async () => {
		const given = { wait: 'anew', calls: ['c1', 'c2'] };
		await delivered({ ...given, body: resultsOfCalls('c1') });
		expect(
			outcomes(await delivered({ ...given, body: resultsOfCalls('c2'), status: 500 })),
		).toHaveLength(2);
		expect(outcomes(await delivered({ ...given, body: resultsOfCalls() }))).toEqual([
			'noAnswer',
			'noAnswer',
		]);
	});

	it('resume when the limit has passed, whatever is missing', async () => {
		const given = { calls: ['c1', 'c2'], until: Date.now() - 1, body: resultsOfCalls('c2') };
		expect(outcomes(await delivered(given))).toEqual(['timeout', 'noAnswer']);
	});

	it('resume nothing when n8n’s own timer is near, not even if none is missing', async () => {
		const near = { until: Date.now() - MINUTE, resumableUntil: Date.now() - 1 };
		const answer = await delivered({ ...near, body: resultsOfCalls('c1') });
		expect([answer.body, answer.items]).toEqual([ACKNOWLEDGEMENT, undefined]);
	});

	it('are forgotten six minutes after the limit', async () => {
		jest.useFakeTimers({ now: 0 });
		const given = { wait: 'forgotten', calls: ['c1', 'c2'], until: HOUR, resumableUntil: 9 * HOUR };
		const body = writeEnvelope([{ body: JSON.stringify(RESULT), receivedAt: 0 }]);
		await delivered({ ...given, body });
		jest.setSystemTime(HOUR + 6 * MINUTE);
		const answer = await delivered({ ...given, body: writeEnvelope([]) });
		jest.useRealTimers();
		expect(outcomes(answer)).toEqual(['timeout', 'timeout']);
	});

	it('results of another wait tell the trigger that the execution waits for something else', async () => {
		const lines: string[] = [];
		const warn = (line: string) => lines.push(line);
		const given = { wait: 'now', url: addressOf('before'), body: resultsOfCalls('c1'), warn };
		const answer = await delivered(given);
		expect(said(answer)).toEqual({ wait: 'other' });
		expect(answer.items).toBeUndefined();
		// It can be forged as well.
		const words = /waiting execution 7\) was refused with HTTP 200, since its address is that of/;
		expect(lines).toEqual([expect.stringMatching(words)]);
	});

	it('results at a node that another package or version has parked tell the same', async () => {
		for (const each of [park({ main: [[]] }), {}, undefined]) {
			expect(said(await delivered({ parked: each, body: resultsOfCalls('c1') }))).toEqual({
				wait: 'other',
			});
		}
	});

	it('many results are read without holding up n8n', async () => {
		const xml = `<a>${'<b/>'.repeat(8000)}</a>`;
		const body = writeEnvelope(Array.from({ length: 15 }, () => ({ body: xml, receivedAt: 1 })));
		let turns = 0;
		const turning = setInterval(() => (turns += 1), 0);
		expect(await delivered({ body })).toMatchObject({ status: 200 });
		clearInterval(turning);
		expect(turns).toBeGreaterThan(1);
	});

	it('several in one delivery are each taken', async () => {
		const all = ['c2', 'c1'].map((callSid) => ({ ...RESULT, callSid }));
		const body = writeEnvelope([{ body: JSON.stringify(all), receivedAt: 1000 }]);
		expect(outcomes(await delivered({ calls: ['c1', 'c2'], body }))).toHaveLength(2);
	});

	it('results that are no notification, or are about an SMS, are dropped', async () => {
		const bodies = ['hello', '{"action":"SMSArrived","callSid":"c1"}'];
		const body = writeEnvelope(bodies.map((each) => ({ body: each, receivedAt: 1000 })));
		expect(said(await delivered({ body })).wait).toBe('waiting');
	});
});

// What a waiting node throws ends the parked execution, so whatever happens it must answer.
it('nothing is thrown, whatever happens', async () => {
	const boom = () => {
		throw new Error('boom');
	};
	const warn = jest.fn();
	const parked = new Proxy({}, { get: boom });
	expect(await delivered({ parked, warn })).toMatchObject({ status: 503, items: undefined });
	expect(warn.mock.calls).toEqual([
		['Yuntongxun: waiting execution 7 could not take a result: boom'],
	]);
});

import type { IDataObject, IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { signUrl } from '../../../nodes/Yuntongxun/callResult/signedUrl';
import { park, resumeWithResult } from '../../../nodes/Yuntongxun/callResult/waiting';
import { credentialOf, deliver } from '../support/delivery';
import type { Delivered } from '../support/delivery';
import { runOf } from '../support/execution';

const TOKEN = 'made-up-token';
const SIGNED = signUrl(
	'https://n8n.example.com/webhook-waiting/7',
	TOKEN,
	Date.now() + 60 * 60 * 1000,
);
const RESULT = {
	action: 'SellingCall',
	callSid: 'c1',
	number: '13800000000',
	state: '1',
	duration: '0',
};

interface Parts {
	url: string;
	body: string | Buffer | undefined;
	call: IDataObject;
	credential: () => Promise<IDataObject>;
	executionId: string;
	readRawBody: () => Promise<void>;
	evaluate: () => unknown;
	warn: (words: string) => void;
}

let executions = 0;

/** One delivery to an execution of its own that waits for the call c1, but for what is changed. */
async function delivered(changes: Partial<Parts> = {}): Promise<Delivered> {
	const parts: Parts = {
		url: SIGNED,
		body: JSON.stringify(RESULT),
		call: { callSid: 'c1', to: '13800000000', outcome: 'timeout', answered: false },
		credential: async () => ({
			accountSid: 'made-up',
			authToken: TOKEN,
			baseUrl: 'https://example.com',
		}),
		executionId: String(++executions),
		readRawBody: async () => {},
		evaluate: () => parts.call,
		warn: () => {},
		...changes,
	};
	const { call: _, credential, executionId, evaluate, warn, ...delivery } = parts;
	return await deliver(
		async (context) => await resumeWithResult(context, 'SellingCall'),
		delivery,
		{
			getCredentials: credentialOf(credential),
			evaluateExpression: evaluate,
			getExecutionId: () => executionId,
			logger: { warn },
		},
	);
}

const REFUSED = { items: undefined };

describe('a delivery to a waiting call', () => {
	it('resumes with the fields of the call and of a trigger item', async () => {
		expect(await delivered()).toEqual({
			status: 200,
			type: 'application/xml',
			body: expect.stringContaining('<statuscode>000000</statuscode>') as string,
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
					},
					pairedItem: { item: 0 },
				},
			],
		});
	});

	it('does not write over the fields of the call', async () => {
		const body = JSON.stringify({ ...RESULT, to: 'forged', statusCode: 'forged', createdAt: 'x' });
		const call = { callSid: 'c1', to: '13800000000', statusCode: '000000', createdAt: 'real' };
		const { items } = await delivered({ body, call });
		expect(items?.map(({ json }) => json)).toEqual([expect.objectContaining(call)]);
	});

	it('resumes once, of ten at the same moment', async () => {
		const all = await Promise.all(
			Array.from({ length: 10 }, async () => await delivered({ executionId: 'ten' })),
		);
		expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
		expect(all.filter(({ items }) => items !== undefined)).toHaveLength(1);
	});

	it('is remembered with the last 10,000', async () => {
		const taken = async (executionId: string) => (await delivered({ executionId })).items;
		for (const each of ['oldest', 'older']) expect(await taken(each)).toHaveLength(1);
		for (let count = 2; count < 10_000; count++) await delivered();
		expect(await taken('oldest')).toBeUndefined();
		await delivered();
		expect(await taken('older')).toBeUndefined();
		expect(await taken('oldest')).toHaveLength(1);
	});

	it('resumes a later call of the same execution', async () => {
		const executionId = 'two calls';
		expect((await delivered({ executionId })).items).toHaveLength(1);
		const body = JSON.stringify({ ...RESULT, callSid: 'c2' });
		const later = { executionId, body, call: { callSid: 'c2' } };
		expect((await delivered(later)).items).toHaveLength(1);
		expect(await delivered(later)).toMatchObject({ status: 200, ...REFUSED });
	});

	it.each([
		['another call', { callSid: 'c2' }],
		['a call of the other kind', { action: 'VoiceCode' }],
		['something else', { action: 'Hangup' }],
	])('of %s is acknowledged and resumes nothing', async (_, changes) => {
		const body = JSON.stringify({ ...RESULT, ...changes });
		expect(await delivered({ body })).toMatchObject({ status: 200, ...REFUSED });
	});

	it.each(['hello', '', ' ', '{}', '[]', 'null', '{"action":"CallAuth","callSid":"c1"}', '<a><b>'])(
		'of %j is refused',
		async (body) => {
			expect(await delivered({ body })).toMatchObject({ status: 400, ...REFUSED });
		},
	);

	it.each([
		['unsigned', 'https://n8n.example.com/webhook-waiting/7'],
		['signed by another account', signUrl(SIGNED.split('?')[0], 'other', Date.now() + 60_000)],
		['signed, expired', signUrl(SIGNED.split('?')[0], TOKEN, Date.now() - 60_000)],
		['signed for another execution', SIGNED.replace('/7?', '/8?')],
	])('to an address that is %s is refused, whatever it holds', async (_, url) => {
		expect(await delivered({ url })).toMatchObject({ status: 403, ...REFUSED });
		expect(await delivered({ url, body: 'hello' })).toMatchObject({ status: 403, ...REFUSED });
	});

	it('a refused one does not use up the resume', async () => {
		const executionId = 'forged first';
		const url = SIGNED.split('?')[0];
		expect(await delivered({ executionId, url })).toMatchObject({ status: 403 });
		expect((await delivered({ executionId })).items).toHaveLength(1);
	});

	it('reads the body where n8n has not', async () => {
		const readRawBody = jest.fn(async () => {});
		expect(await delivered({ body: undefined, readRawBody })).toMatchObject({ status: 400 });
		expect(readRawBody).toHaveBeenCalledTimes(1);
	});

	// What a waiting node throws ends the parked execution, so whatever happens it must answer.
	const boom = () => {
		throw new Error('boom');
	};
	it.each<[string, Partial<Parts>]>([
		['the credential is gone', { credential: async () => boom() }],
		['the credential is not whole', { credential: async () => ({}) }],
		['the call cannot be read', { evaluate: boom }],
		['the call is not there', { evaluate: () => undefined }],
	])('never throws, even where %s', async (_, changes) => {
		const warn = jest.fn();
		expect(await delivered({ ...changes, warn })).toMatchObject({ status: 503, ...REFUSED });
		expect(warn.mock.calls).toEqual([
			['A delivery to a waiting Yuntongxun call could not be read'],
		]);
	});

	it('whose body cannot be read is refused like any that is no notification', async () => {
		const readRawBody = async () => boom();
		const answer = await delivered({ body: undefined, readRawBody });
		expect(answer).toMatchObject({ status: 400, ...REFUSED });
	});
});

describe('parking', () => {
	const call = { statusCode: '000000', callSid: 'c1', to: '13800000000' };
	const until = new Date(0);

	async function parked(run: IExecuteData) {
		const waits: Date[] = [];
		const context: Pick<IExecuteFunctions, 'getExecuteData' | 'putExecutionToWait'> = {
			getExecuteData: () => run,
			putExecutionToWait: async (date) => {
				waits.push(date);
			},
		};
		return { json: await park(context as IExecuteFunctions, call, until), waits };
	}

	it('gives the run the item that n8n goes on with when time is up', async () => {
		const run = runOf();
		const { json, waits } = await parked(run);
		const expected = { ...call, outcome: 'timeout', answered: false };
		expect(json).toEqual(expected);
		expect(run.data).toEqual({ main: [[{ json: expected, pairedItem: { item: 0 } }]] });
		expect(waits).toEqual([until]);
	});

	it('leaves alone what other nodes share: the input, its items and what else was given', async () => {
		const items = [{ json: { a: 1 } }];
		const other = [[{ json: { tool: true } }]];
		const run = runOf();
		const given = { main: [items], ai_tool: other };
		run.data = given;
		await parked(run);
		expect(given).toEqual({ main: [[{ json: { a: 1 } }]], ai_tool: other });
		expect(items).toEqual([{ json: { a: 1 } }]);
		expect(run.data.ai_tool).toBe(other);
	});
});

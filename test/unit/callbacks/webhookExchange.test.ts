import type { IWebhookFunctions } from 'n8n-workflow';

import {
	readRequest,
	reject,
	undoIfN8nFails,
} from '../../../nodes/Yuntongxun/callbacks/webhookExchange';
import { useFakeClock } from '../../support/fakeClock';
import { buildNode, deliver, FakeResponse } from '../../support/fakeN8n';
import type { Delivery } from '../../support/fakeN8n';

useFakeClock();

const BODY = Buffer.from('{"action":"SellingCall","callSid":"c1"}');
const EMPTY = Buffer.alloc(0);

type Request = { rawBody?: Buffer };

it.each<[string, Buffer | undefined, (request: Request) => Promise<void>, Buffer]>([
	['what n8n has read', BODY, async () => await Promise.reject(new Error('Read twice')), BODY],
	['read, if n8n has not', undefined, async (request) => void (request.rawBody = BODY), BODY],
	['empty if there is none', undefined, async () => {}, EMPTY],
	[
		'empty if n8n cannot read it',
		undefined,
		async () => await Promise.reject(new Error('')),
		EMPTY,
	],
])(
	'the body of a request is %s, and its address is as it arrived',
	async (_, rawBody, read, body) => {
		const originalUrl = '/proxy/webhook/a?b=1';
		const request = {
			originalUrl,
			url: '/',
			rawBody,
			readRawBody: async () => await read(request),
		};
		const context = { getRequestObject: () => request } as unknown as IWebhookFunctions;
		expect(await readRequest(context)).toEqual({ url: originalUrl, body });
	},
);

it.each([
	[500, 1],
	[200, 0],
])(
	'when n8n answers a request with %i, what was done for it is undone %i times',
	async (status, times) => {
		const response = new FakeResponse();
		const context = { getResponseObject: () => response } as unknown as IWebhookFunctions;
		const undo = jest.fn();
		undoIfN8nFails(context, undo);
		await jest.advanceTimersByTimeAsync(60_000);
		Object.assign(response, { statusCode: status, writableEnded: true });
		expect(undo).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(60_000);
		expect(undo).toHaveBeenCalledTimes(times);
	},
);

const MINUTE = 60_000;
const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';

let nodes = 0;

/** What n8n's log says of a request that is refused, at a node of its own unless given. */
async function refused(
	delivery: Partial<Delivery> = {},
	{
		id = `n${++nodes}`,
		reason = 'notANotification' as Parameters<typeof reject>[1],
		why = '',
	} = {},
): Promise<string[]> {
	const log: string[] = [];
	const webhook = async (context: IWebhookFunctions) => reject(context, reason, why);
	await deliver(
		webhook,
		{ url: URL_OF_TRIGGER, body: '{}', ...delivery },
		{
			getNode: () => buildNode({ id, name: 'Results' }),
			getWorkflow: () => ({ id: 'w1' }),
			logger: { warn: (text: string) => void log.push(text) },
		},
	);
	return log;
}

it('the log names what was refused, without values', async () => {
	const body = '{"Request":{"action":"CallAuth","caller":"13800000000","x":{"deep":"secret"}}}';
	expect(await refused({ body })).toEqual([
		'Yuntongxun: a request to "Results" (workflow w1) was refused with HTTP 400: 78 bytes, names Request, action, caller, x, deep. Others within ten minutes are not logged',
	]);
});

it('the log gives the reason, but nothing that somebody may have typed', async () => {
	const url = `${URL_OF_TRIGGER}?yt=secret`;
	const body = Buffer.from('<a><callSid>secret</callSid><b c="secret">se cret & <i>secret');
	const [line] = await refused({ url, body }, { reason: 'notOurs', why: ', since' });
	expect(line).toMatch(/ was refused with HTTP 403, since: \d+ bytes, names callSid\. /);
	expect(line).not.toContain('secret');
});

const MANY = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, '']));

it.each<[string, Partial<Delivery>, string]>([
	['nothing is there', { body: undefined }, '0 bytes, names none'],
	['names are no names', { body: '{"13800000000":1,"a b":2,"<x>":3,"ok":4}' }, 'names ok.'],
	['names are too long', { body: `{"${'a'.repeat(41)}":1}` }, 'names none'],
	['names repeat', { body: '[{"a":1},{"a":2}]' }, 'names a.'],
	['names are many', { body: JSON.stringify(MANY) }, 'a19.'],
])('the log lists 20 plain names at most, each once: %s', async (_, delivery, words) => {
	expect((await refused(delivery))[0]).toContain(words);
});

it('the log gives each reason once in ten minutes, for each trigger', async () => {
	const id = 'often';
	const count = async (place: NonNullable<Parameters<typeof refused>[1]>) =>
		(await refused({}, { id, ...place })).length;
	const places = [
		...[{}, { reason: 'notOurs' }, { reason: 'notOurs', why: ', since' }],
		{ id: 'another' },
	] as Array<Parameters<typeof count>[0]>;
	for (const place of places) expect([await count(place), await count(place)]).toEqual([1, 0]);
	jest.advanceTimersByTime(10 * MINUTE - 1);
	expect(await count({})).toBe(0);
	jest.advanceTimersByTime(1);
	expect(await count({})).toBe(1);
});

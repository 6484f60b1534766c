import type { IWebhookFunctions } from 'n8n-workflow';

import { reject } from '../../../nodes/Yuntongxun/callbacks/webhookExchange';
import { buildNode, deliver } from '../../support/fakeN8n';
import type { Delivery } from '../../support/fakeN8n';
import { useFakeClock } from '../../support/fakeClock';

const MINUTE = 60_000;
const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';

let nodes = 0;

/** What n8n's log says of a request that is refused, at a node of its own unless given. */
async function refused(
	delivery: Partial<Delivery> = {},
	{
		id = `n${++nodes}`,
		execution = undefined as string | undefined,
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
			getExecutionId: () => execution,
			getNode: () => buildNode({ id, name: 'Results' }),
			getWorkflow: () => ({ id: 'w1' }),
			logger: { warn: (text: string) => void log.push(text) },
		},
	);
	return log;
}

useFakeClock();

it('tells what was refused, without values', async () => {
	const body = '{"Request":{"action":"CallAuth","caller":"13800000000","x":{"deep":"secret"}}}';
	const contentType = 'application/json;charset=UTF-8';
	expect(await refused({ body, contentType })).toEqual([
		'Yuntongxun: a request to "Results" (workflow w1) was refused with HTTP 400: content type application/json;charset=UTF-8, 78 bytes, names Request, action, caller, x, deep, no token in the address. Others within ten minutes are not logged',
	]);
});

it('tells where, and that the address had a token', async () => {
	const url = `${URL_OF_TRIGGER}?ytWait=secret`;
	const body = Buffer.from('<a><callSid>secret</callSid><b c="secret">se cret & <i>secret');
	const [line] = await refused({ url, body }, { execution: '231', reason: 'notOurs' });
	expect(line).toMatch(
		/\(waiting execution 231\) was refused with HTTP 403: content type none, \d+ bytes, names callSid, a token in the address/,
	);
	expect(line).not.toContain('secret');
});

const MANY = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`a${at}`, '']));

it.each<[string, Partial<Delivery>, string]>([
	['nothing is there', { body: undefined }, '0 bytes, names none'],
	['names are no names', { body: '{"13800000000":1,"a b":2,"<x>":3,"ok":4}' }, 'names ok,'],
	['names are too long', { body: `{"${'a'.repeat(41)}":1}` }, 'names none'],
	['names repeat', { body: '[{"a":1},{"a":2}]' }, 'names a, no token'],
	['names are many', { body: JSON.stringify(MANY) }, 'a19, no token'],
	['the content type is odd', { contentType: 'a\u001b[31m' }, 'content type unreadable'],
	['the content type is long', { contentType: 'a'.repeat(81) }, 'content type unreadable'],
])('tells no more than it may where %s', async (_, delivery, words) => {
	expect((await refused(delivery))[0]).toContain(words);
});

it('tells each reason once in ten minutes, for each trigger and each waiting execution', async () => {
	const id = 'often';
	const count = async (place: NonNullable<Parameters<typeof refused>[1]>) =>
		(await refused({}, { id, ...place })).length;
	const places = [
		...[{}, { reason: 'notOurs' }, { reason: 'notOurs', why: ', since' }],
		...[{ id: 'another' }, { execution: '1' }, { execution: '2' }],
	] as Array<Parameters<typeof count>[0]>;
	for (const place of places) expect([await count(place), await count(place)]).toEqual([1, 0]);
	jest.advanceTimersByTime(10 * MINUTE - 1);
	expect(await count({})).toBe(0);
	jest.advanceTimersByTime(1);
	expect(await count({})).toBe(1);
});

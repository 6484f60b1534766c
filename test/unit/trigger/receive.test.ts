import type { IDataObject, IWebhookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { buildStartUrl, findToken } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import { readNotifications } from '../../../nodes/Yuntongxun/callbacks/readNotifications';
import { openOwnToken, receiveNotification } from '../../../nodes/Yuntongxun/trigger/receive';
import { mailbox } from '../../../nodes/Yuntongxun/waiting/mailbox';
import { buildWaitUrl } from '../../../nodes/Yuntongxun/waiting/resumeKey';
import { useFakeClock } from '../../support/fakeClock';
import { buildCallResult } from '../../support/hostile';
import { REPLY, REPORT } from '../../support/notifications';
import { sealUrl } from '../../support/sealing';
import { ACKNOWLEDGEMENT, buildNode, deliver, fakeCredential } from '../../support/fakeN8n';
import type { Delivered } from '../../support/fakeN8n';

jest.mock('../../../nodes/Yuntongxun/callbacks/readNotifications', () => {
	const actual = jest.requireActual<{ readNotifications: typeof readNotifications }>(
		'../../../nodes/Yuntongxun/callbacks/readNotifications',
	);
	return { readNotifications: jest.fn(actual.readNotifications) };
});

const TOKEN = 'made-up-token';
const URL_OF_TRIGGER = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const RESULT = buildCallResult('c1');
const CREDENTIAL = { accountSid: 'made-up', authToken: TOKEN, baseUrl: 'https://example.com' };
const OWN_CREDENTIAL = { yuntongxunApi: { id: '1', name: 'Account' } };
const ACKNOWLEDGED = { status: 200, type: 'application/xml', body: ACKNOWLEDGEMENT };
const refusal = (status: number, body: string) => ({
	status,
	type: 'text/plain',
	body,
	items: undefined,
});
const FORGED =
	/HTTP 403, since its token was not made by this account for this address, or has expired: /;
const NOT_OURS = refusal(403, 'This address is not from this account, or it has expired.');
const UNAVAILABLE = refusal(503, 'The result cannot be taken right now.');
const NOT_A_NOTIFICATION = refusal(400, 'This address takes notifications of Yuntongxun only.');

/** Where the test's n8n takes knocks. */
const DOORS = ['http://127.0.0.1:5678/hooks-paused', 'https://n8n.example.com/phone/hooks-paused'];

const OTHER = { ...CREDENTIAL, authToken: 'another-token' };
const HANGUP = { action: 'Hangup', callSid: 'c1' };
const ALL = ['voiceNotification', 'voiceVerification', 'smsReport', 'smsReply', 'other'];

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;

useFakeClock(NOW);

let triggers = 0;

const buildParts = () => ({
	url: URL_OF_TRIGGER,
	result: RESULT as unknown,
	events: ['voiceVerification', 'voiceNotification'] as unknown,
	options: {} as IDataObject,
	mode: 'webhook' as WorkflowExecuteMode,
	id: `t${++triggers}`,
	/** Undefined if the node has none. */
	credential: undefined as (() => Promise<IDataObject>) | undefined,
	/** With which n8n's answer ends. */
	status: 200,
	/** What n8n's log says. */
	log: [] as string[],
});

type Parts = ReturnType<typeof buildParts>;

/** One delivery to a trigger of its own, without a credential, but for what is changed. */
async function received(changes: Partial<Parts> = {}): Promise<Delivered> {
	const parts = { ...buildParts(), ...changes };
	const parameters: IDataObject = { events: parts.events as IDataObject, options: parts.options };
	const delivered = await deliver(
		receiveNotification,
		{
			url: parts.url,
			body: parts.result === null ? undefined : toBody(parts.result),
			readRawBody: unreadable,
			status: parts.status,
		},
		{
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: fakeCredential(parts.credential ?? unreadable),
			getMode: () => parts.mode,
			getNode: () => buildNode({ id: parts.id, credentials: parts.credential && OWN_CREDENTIAL }),
			getWorkflow: () => ({ id: 'w', active: true }),
			additionalData: { webhookWaitingBaseUrl: DOORS[1] },
			logger: {
				info: (text: string) => void parts.log.push(text),
				warn: (text: string) => void parts.log.push(text),
			},
		},
	);
	// For what is done once n8n has answered.
	await jest.advanceTimersByTimeAsync(100);
	return delivered;
}

const toBody = (result: unknown): string =>
	typeof result === 'string' && result.startsWith('<') ? result : (JSON.stringify(result) ?? '');

const unreadable = async () => {
	throw new Error('The database is away');
};

describe('a delivery to the trigger', () => {
	it('starts the workflow with what was delivered, and is acknowledged', async () => {
		expect(await received()).toEqual({
			...ACKNOWLEDGED,
			items: [
				{
					json: {
						...RESULT,
						event: 'voiceNotification',
						outcome: 'completed',
						answered: true,
						durationSeconds: 30,
						receivedAt: expect.any(String) as string,
						notification: RESULT,
					},
				},
			],
		});
	});

	it.each([
		['has nothing that is known', { hello: 1 }],
		['n8n cannot read, such as a form with files', null],
	])('that %s is refused and logged', async (_, result) => {
		const log: string[] = [];
		expect(await received({ result, log })).toEqual(NOT_A_NOTIFICATION);
		expect(log).toEqual([expect.stringContaining('was refused with HTTP 400')]);
	});

	const VERIFIED = { ...RESULT, action: 'VoiceCode' };

	it.each<[string, object, unknown, string[], string | undefined]>([
		['is a chosen event', RESULT, ['voiceNotification'], [], 'voiceNotification'],
		['is another event', VERIFIED, ['voiceNotification'], [], undefined],
		['comes where the choice is missing', RESULT, undefined, [], undefined],
		['has a chosen outcome', RESULT, ALL, ['completed'], 'voiceNotification'],
		['has another outcome', RESULT, ALL, ['noAnswer'], undefined],
		['has another outcome, of a verification', VERIFIED, ALL, ['noAnswer'], undefined],
		['is a report, whatever the outcomes', REPORT, ['smsReport'], ['failed'], 'smsReport'],
		['is a report where replies are chosen', REPORT, ['smsReply'], [], undefined],
		['is a reply, whatever the outcomes', REPLY, ['smsReply'], ['failed'], 'smsReply'],
		['is something else, whatever the outcomes', HANGUP, ['other'], ['failed'], 'other'],
	])('that %s', async (_, result, events, outcomes, event) => {
		const { items, ...answer } = await received({ result, events, options: { outcomes } });
		expect(answer).toEqual(ACKNOWLEDGED);
		expect(items?.map(({ json }) => json.event)).toEqual(event && [event]);
	});

	describe('of several at once', () => {
		const list = ['c1', 'c2', 'c3'].map((callSid, state) => {
			return { ...RESULT, callSid, state: String(state) };
		});
		const sids = ({ items }: Delivered) => items?.map(({ json }) => json.callSid);

		it('starts the workflow once, with an item for each that it starts for', async () => {
			expect(sids(await received({ result: list }))).toEqual(['c1', 'c2', 'c3']);
			const options = { outcomes: ['completed', 'failed'] };
			expect(sids(await received({ result: list, options }))).toEqual(['c1', 'c3']);
			expect(sids(await received({ result: list, events: ['smsReply'] }))).toBeUndefined();
		});

		it('starts it for those that did not come before', async () => {
			const id = 'some of a list again';
			expect(sids(await received({ id, result: [list[1], list[1]] }))).toEqual(['c2']);
			expect(sids(await received({ id, result: list, status: 500 }))).toEqual(['c1', 'c3']);
			expect(sids(await received({ id, result: list }))).toEqual(['c1', 'c3']);
		});
	});

	describe('that arrives again', () => {
		it.each<[string, Partial<Parts>, number | undefined]>([
			['nothing, as n8n gives a trigger without options', {}, undefined],
			['anew, while the workflow is tried by hand', { mode: 'manual' }, 1],
			['anew, where n8n could not start it', { status: 500 }, 1],
		])('starts %s', async (_, changes, count) => {
			const again = { ...changes, id: `twice${++triggers}` };
			expect((await received(again)).items).toHaveLength(1);
			const { items, ...answer } = await received(again);
			expect(answer).toEqual(ACKNOWLEDGED);
			expect(items?.length).toBe(count);
		});

		it('starts the workflow if the first one was filtered out', async () => {
			const id = 'a choice that changed';
			expect((await received({ id, events: ['voiceVerification'] })).items).toBeUndefined();
			expect((await received({ id })).items).toHaveLength(1);
		});
	});

	describe('to a trigger with a credential', () => {
		const credential = async () => CREDENTIAL;
		const ours = buildStartUrl(URL_OF_TRIGGER, CREDENTIAL);
		it.each<[string, unknown, string, string]>([
			['the result of a call', RESULT, 'voiceNotification', ours],
			['something else', HANGUP, 'other', ours],
			[
				'a report on an SMS, at an address that stands in the console',
				REPORT,
				'smsReport',
				URL_OF_TRIGGER,
			],
			['a reply, at such an address', REPLY, 'smsReply', URL_OF_TRIGGER],
		])('starts the workflow: %s', async (_, result, event, url) => {
			const { items } = await received({ credential, result, events: ALL, url });
			expect(items).toMatchObject([{ json: { event } }]);
		});

		it.each<[string, RegExp, Partial<Parts>]>([
			['has no token', /HTTP 403: /, {}],
			['has no token, of something else', /HTTP 403: /, { result: HANGUP, events: ALL }],
			['is another account’s', FORGED, { url: buildStartUrl(URL_OF_TRIGGER, OTHER) }],
		])('is refused and logged if its address %s', async (_, words, changes) => {
			const log: string[] = [];
			expect(await received({ credential, log, ...changes })).toEqual(NOT_OURS);
			expect(log).toEqual([expect.stringMatching(words)]);
		});

		it('refuses a call result in a list without a token, and beside an SMS with one', async () => {
			expect(await received({ credential, result: [RESULT] })).toEqual(NOT_OURS);
			const mixed = await received({
				credential,
				result: [REPORT, RESULT],
				events: ALL,
				url: ours,
			});
			expect(mixed).toEqual(NOT_A_NOTIFICATION);
			// Even if reading let such a list in.
			const events = [REPORT, RESULT].flatMap(
				(each) => readNotifications(Buffer.from(JSON.stringify(each))) ?? [],
			);
			jest.mocked(readNotifications).mockReturnValueOnce(events);
			expect(await received({ credential, events: ALL })).toEqual(NOT_OURS);
		});

		it('is answered with 503 if n8n cannot read the credential just now', async () => {
			const log: string[] = [];
			expect(await received({ credential: unreadable, url: ours, log })).toEqual(UNAVAILABLE);
			expect(log).toEqual([
				expect.stringContaining(
					'was refused with HTTP 503, since n8n could not read the credential: 90 bytes, names action',
				),
			]);
		});
	});

	it('to a trigger without a credential is taken at any address but that of a wait', async () => {
		expect((await received({ url: buildStartUrl(URL_OF_TRIGGER, OTHER) })).items).toHaveLength(1);
		const key = { execution: '231', waitId: 'w' };
		const url = buildWaitUrl(URL_OF_TRIGGER, key, Date.now() + 60_000, OTHER);
		const parts = { url, log: [] as string[], id: 'a credential taken off' };
		expect(await received({ ...parts, credential: async () => CREDENTIAL })).toEqual(NOT_OURS);
		expect(await received(parts)).toEqual(NOT_OURS);
		expect(await received(parts)).toEqual(NOT_OURS);
		expect(parts.log).toEqual([
			expect.stringMatching(FORGED),
			expect.stringContaining('HTTP 403, since the trigger has no usable credential: '),
		]);
	});

	describe('for a waiting execution', () => {
		let waits = 0;
		const forWait = (account = CREDENTIAL) => {
			const waitId = Buffer.from(`w${++waits}`.padEnd(16, '.')).toString('base64url');
			const key = { execution: '231', waitId };
			return { key, url: buildWaitUrl(URL_OF_TRIGGER, key, Date.now() + 60_000, account) };
		};
		const credential = async () => CREDENTIAL;

		async function put(
			result: unknown,
			answer = true,
			{ key, url } = forWait(),
			log: string[] = [],
		) {
			const spy = jest.spyOn(mailbox, 'put').mockReturnValueOnce(answer);
			const { items, ...delivered } = await received({ url, result, log, credential });
			const results = spy.mock.calls.flatMap(([, doors, toKey, each]) => {
				expect([doors, toKey]).toEqual([DOORS, key]);
				return each;
			});
			spy.mockRestore();
			expect(items).toBeUndefined();
			return { delivered, results, log };
		}

		it('is put into the mailbox, read once, acknowledged, and starts nothing', async () => {
			const before = Date.now();
			const { delivered, results } = await put(RESULT);
			expect(delivered).toEqual(ACKNOWLEDGED);
			expect(results).toMatchObject([
				{ callEvent: { event: 'voiceNotification', callSid: 'c1', members: RESULT } },
			]);
			expect(results[0].at).toBeGreaterThanOrEqual(before);
			expect((await put(REPLY)).results).toEqual([]);
		});

		it('is refused if it is no call result, or another account made the address', async () => {
			expect(await put({ hello: 1 })).toMatchObject({ delivered: { status: 400 }, results: [] });
			expect(await put(RESULT, true, forWait(OTHER))).toMatchObject({
				delivered: { status: 403 },
				results: [],
			});
		});

		it('is answered with 503 and logged if the mailbox is full', async () => {
			const { delivered, log } = await put(RESULT, false);
			expect(delivered).toMatchObject({ status: 503 });
			expect(log).toEqual([
				expect.stringContaining('HTTP 503, since too many results wait for their executions: '),
			]);
		});
	});
});

it('an empty POST, with which a node looks for its trigger, is refused without a line in the log', async () => {
	const log: string[] = [];
	expect(await received({ result: undefined, log })).toEqual(NOT_A_NOTIFICATION);
	expect(log).toEqual([]);
});

it.each<[string, boolean, object, object]>([
	['the same result', true, RESULT, { ...RESULT }],
	['the same without a callSid', true, { action: 'VoiceCode' }, { action: 'VoiceCode' }],
	['the same in another order', true, REPORT, Object.fromEntries(Object.entries(REPORT).reverse())],
	['another user data', false, RESULT, { ...RESULT, userData: 'x' }],
	['another call', false, RESULT, { ...RESULT, callSid: 'c2' }],
	['another duration', false, RESULT, { ...RESULT, duration: '31' }],
	['a report at another time', false, REPORT, { ...REPORT, recvTime: '20260102094000' }],
	['something else inside', false, { ...RESULT, x: { y: '1' } }, { ...RESULT, x: { y: '2' } }],
	['something else in a list', false, { ...REPLY, x: [{ y: 1 }] }, { ...REPLY, x: [{ y: 2 }] }],
	['something more', false, REPLY, { ...REPLY, more: '1' }],
	['a part that ends elsewhere', false, { ...RESULT, state: '0","1' }, { ...RESULT, state: '0' }],
])('a second one with %s counts as a repetition: %s', async (_, isRepeated, first, second) => {
	const id = `t${++triggers}`;
	expect((await received({ id, events: ALL, result: first })).items).toHaveLength(1);
	const { items } = await received({ id, events: ALL, result: second });
	expect(items === undefined).toBe(isRepeated);
});

/** Whether a call result starts nothing. */
const isCopy = async (id: string, callSid = 'c1') =>
	(await received({ id, result: { ...RESULT, callSid } })).items === undefined;

it('the same notification to another trigger is no repetition', async () => {
	expect([await isCopy('same'), await isCopy('another'), await isCopy('same')]).toEqual([
		false,
		false,
		true,
	]);
});

it('a trigger remembers its last 20,000 notifications', async () => {
	const list = (from: number) =>
		Array.from({ length: 200 }, (_, at) => ({ ...RESULT, callSid: `c${from + at}` }));
	await isCopy('many', 'c0');
	for (let from = 1; from <= 20_000; from += 200)
		await received({ id: 'many', result: list(from) });
	expect([await isCopy('many', 'c1'), await isCopy('many', 'c0')]).toEqual([true, false]);
});

it('a copy within 24 hours of the first starts nothing, and a later one starts the workflow', async () => {
	const copies: boolean[] = [];
	for (const ms of [0, 1, DAY / 2, DAY - 1, DAY, DAY + 1, 2 * DAY - 1, 2 * DAY]) {
		jest.setSystemTime(NOW + ms);
		copies.push(await isCopy('a day'));
	}
	expect(copies).toEqual([false, true, true, true, false, true, true, false]);
});

const IN_AN_HOUR = NOW / 1000 + 60 * 60;
const accountWith = (authToken: string) => ({ accountSid: 'made-up', authToken });

/** A webhook of a node of its own, whose account has the given token and can be given another. */
function webhookWith(authToken: string) {
	const account = { accountSid: 'made-up', authToken, baseUrl: 'https://example.com' };
	const node = buildNode({
		id: `n${++triggers}`,
		credentials: { yuntongxunApi: { id: 'c', name: 'The account' } },
	});
	const getCredentials = jest.fn(async () => ({ ...account }));
	const context = {
		getNode: () => node,
		getWorkflow: () => ({ id: 'w' }),
		getCredentials,
	} as unknown as IWebhookFunctions;
	/** What comes of an address that an account with this token has made. */
	const read = async (token: string) => {
		const url = sealUrl(URL_OF_TRIGGER, accountWith(token), { expires: IN_AN_HOUR });
		return (await openOwnToken(context, findToken(url), Date.now())).state;
	};
	const isOpened = async (token: string) => (await read(token)) === 'opened';
	return { account, context, getCredentials, node, read, isOpened };
}

describe('checking the token of an address', () => {
	it('reads the credential once in ten seconds, however many tokens are forged', async () => {
		const { isOpened, getCredentials } = webhookWith('one');
		for (let at = 0; at < 30_000; at += 100) {
			jest.setSystemTime(NOW + at);
			expect(await isOpened('two')).toBe(false);
			expect(await isOpened('one')).toBe(true);
		}
		expect(getCredentials).toHaveBeenCalledTimes(3);
	});

	it('reads the credential once for simultaneous forged deliveries', async () => {
		const { isOpened, getCredentials } = webhookWith('one');
		const forged = Array.from({ length: 600 }, async () => await isOpened('two'));
		expect(await Promise.all(forged)).toEqual(Array.from({ length: 600 }, () => false));
		expect(getCredentials).toHaveBeenCalledTimes(1);
	});

	it('after a failed reading, tells all that asked at that moment, and reads again for the next', async () => {
		const { read, getCredentials } = webhookWith('one');
		getCredentials.mockRejectedValueOnce(new Error('The database is away'));
		const both = [read('one'), read('two')];
		expect(await Promise.all(both)).toEqual(['unavailable', 'unavailable']);
		expect(await read('one')).toBe('opened');
		expect(getCredentials).toHaveBeenCalledTimes(2);
	});

	it('uses a reading for ten seconds, so that the old account token is good as long', async () => {
		const { isOpened, account, getCredentials } = webhookWith('old');
		expect(await isOpened('old')).toBe(true);
		account.authToken = 'new';
		jest.setSystemTime(NOW + 9999);
		expect(await isOpened('old')).toBe(true);
		expect(getCredentials.mock.calls).toEqual([['yuntongxunApi']]);
		jest.setSystemTime(NOW + 10_000);
		expect([await isOpened('new'), await isOpened('old')]).toEqual([true, false]);
	});

	it('never uses the credential of another node, or an earlier one of its own', async () => {
		const { isOpened, account, node } = webhookWith('one');
		expect(await isOpened('one')).toBe(true);
		expect(await webhookWith('two').isOpened('one')).toBe(false);
		account.authToken = 'two';
		node.credentials = { yuntongxunApi: { id: 'd', name: 'Another account' } };
		expect(await isOpened('one')).toBe(false);
	});

	it.each([undefined, {}])(
		'finds no credential, and asks n8n for none, if the node has %j',
		async (none) => {
			const { getCredentials, node, read } = webhookWith('one');
			node.credentials = none;
			expect(await read('one')).toBe('noCredential');
			expect(getCredentials).not.toHaveBeenCalled();
		},
	);

	it('tells an incomplete credential from a token of another account, or none', async () => {
		expect(await webhookWith('').read('')).toBe('noCredential');
		expect(await webhookWith('one').read('two')).toBe('notOurs');
		expect(await openOwnToken(webhookWith('one').context, undefined, NOW)).toEqual({
			state: 'noToken',
		});
	});
});

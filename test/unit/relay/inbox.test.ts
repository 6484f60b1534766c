import fc from 'fast-check';
import type {
	IDataObject,
	IHttpRequestOptions,
	IWebhookFunctions,
	Logger,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { parseCallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { correlationIdOf, waitAddress } from '../../../nodes/Yuntongxun/callbacks/callbackUrl';
import type * as Deliveries from '../../../nodes/Yuntongxun/relay/deliveries';
import type * as InboxModule from '../../../nodes/Yuntongxun/relay/inbox';
import { deliveredResults } from '../../../nodes/Yuntongxun/relay/protocol';
import type { WaitStatus } from '../../../nodes/Yuntongxun/relay/protocol';
import { signUrl } from '../../../nodes/Yuntongxun/callbacks/signedUrl';
import { nodeOf } from '../support/execution';

const n8nWorkflow: unknown = jest.requireActual('n8n-workflow');

const TOKEN = 'made-up-token';
const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;

const ACKNOWLEDGED = {
	statusCode: 200,
	body: '<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>',
};
const NOT_PARKED = { statusCode: 409, body: 'The execution is running already.' };
const FINISHED = { statusCode: 409, body: 'The execution "7 has finished already.' };
const waitingFor = (missing: string[], limit = 10 * MINUTE) => ({
	statusCode: 200,
	body: JSON.stringify({
		wait: 'waiting',
		missing: missing.map((call) => `voiceNotification ${call}`),
		until: NOW + limit,
		firstAnswered: false,
	}),
});

const WAITING: WaitStatus = { wait: 'waiting' };

type Answer = { statusCode: number; body: string } | Error;
type Delivery = { address: string; calls: string[]; at: number };

const addressOf = (wait: string, expiresAt = NOW + 60 * MINUTE) =>
	signUrl(waitAddress('https://n8n.example.com/webhook-waiting/7', wait), TOKEN, expiresAt);
const bodyOf = (callSid: string) => JSON.stringify({ action: 'SellingCall', callSid, state: '1' });

/** One process of n8n, with a database that outlives it. */
function processOfN8n(
	database: { text: string },
	answer: (delivery: Delivery) => Answer | Promise<Answer>,
) {
	const loaded: { Inbox?: typeof InboxModule.Inbox; deliveries?: typeof Deliveries } = {};
	// Loading all of n8n-workflow again for each process would take most of the time.
	jest.doMock('n8n-workflow', () => n8nWorkflow);
	jest.isolateModules(() => {
		loaded.deliveries = jest.requireActual(
			'../../../nodes/Yuntongxun/relay/deliveries',
		) as typeof Deliveries;
		({ Inbox: loaded.Inbox } = jest.requireActual(
			'../../../nodes/Yuntongxun/relay/inbox',
		) as typeof InboxModule);
	});
	const { Inbox, deliveries } = loaded;
	if (!Inbox || !deliveries) throw new Error('The modules were not loaded');
	const delivered: Delivery[] = [];
	const log: string[] = [];
	const say = (level: string) => (text: string) => void log.push(`${level}: ${text}`);
	const httpRequest = async ({ url, body }: IHttpRequestOptions) => {
		const results = deliveredResults(Buffer.from(String(body))) ?? [];
		const calls = results.map(({ callEvent }) => callEvent.callSid);
		const one = { address: url, calls, at: Date.now() - NOW };
		delivered.push(one);
		const answered = await answer(one);
		if (answered instanceof Error) throw answered;
		return answered;
	};

	/** What n8n gives to one delivery, and what it does once the trigger has answered. */
	function delivery(trigger = 't1', mode: WorkflowExecuteMode = 'webhook') {
		// n8n gives a test event empty static data, and does not save it.
		const isTest = mode === 'manual';
		const data = JSON.parse(isTest ? '{}' : database.text) as IDataObject;
		const listeners: Record<string, () => void> = {};
		const response = {
			closed: false,
			statusCode: 200,
			once: (event: string, listener: () => void) => {
				listeners[event] = listener;
				return response;
			},
		};
		const context = {
			getMode: () => mode,
			getNode: () => nodeOf({ id: trigger }),
			getWorkflow: () => ({ id: 'w', active: true }),
			getWorkflowStaticData: () => data,
			getResponseObject: () => response,
			helpers: { httpRequest },
			logger: { info: say('info'), warn: say('warn') } as unknown as Logger,
		} as unknown as IWebhookFunctions;
		const save = () => {
			if (!isTest) database.text = JSON.stringify(data);
			listeners.finish?.();
		};
		const leave = () => {
			response.closed = true;
			listeners.close?.();
		};
		return { context, data, save, leave };
	}

	/** Has the relay take a result in a delivery that n8n has not answered yet. */
	async function takeIn(
		context: IWebhookFunctions,
		callSid: string,
		address = addressOf('w1'),
		body = bodyOf(callSid),
	): Promise<void> {
		const callEvent = parseCallEvent(Buffer.from(body));
		if (!callEvent) throw new Error('There is no call event');
		await Inbox?.of(context).take(context, address, { callEvent, at: Date.now() });
	}

	async function take(
		wait: string,
		callSid: string,
		address = addressOf(wait),
		{ trigger = 't1', body = bodyOf(callSid) } = {},
	): Promise<void> {
		const { context, save } = delivery(trigger);
		await takeIn(context, callSid, address, body);
		save();
	}

	/** Has n8n park an execution of this process, whose wait has these calls. */
	function park(wait: string, calls: string[], limit: number, changes: WaitStatus = WAITING): void {
		const missing = calls.map((callSid) => `voiceNotification ${callSid}`);
		deliveries?.noteParked(delivery().context as never, addressOf(wait), {
			...{ missing, until: Date.now() + limit, firstAnswered: false },
			...changes,
		});
	}

	const run = (wait: string) => deliveries.noteRunning(correlationIdOf(addressOf(wait)));

	return { run, park, take, takeIn, delivery, delivered, log, hasRoom: deliveries.hasRoom };
}

const database = () => ({ text: '{}' });
const storedCalls = ({ text }: { text: string }) =>
	(
		JSON.parse(text) as { yuntongxunResults: Array<[string, Array<[number, string]>]> }
	).yuntongxunResults.flatMap(([, records]) => records.map(([, callSid]) => callSid));

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(async () => {
	// Every address has expired by then, so no relay is left looking.
	await jest.advanceTimersByTimeAsync(100);
	jest.setSystemTime(NOW + 1000 * MINUTE);
	await jest.advanceTimersByTimeAsync(1000);
	jest.useRealTimers();
});

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

describe('a result that is taken', () => {
	it('is in the database when it is acknowledged, and gone from there once it was delivered', async () => {
		const db = database();
		const n8n = processOfN8n(db, ({ calls }) => (calls.length < 2 ? NOT_PARKED : ACKNOWLEDGED));
		await n8n.take('w1', 'c1');
		expect(storedCalls(db)).toEqual(['c1']);
		await pass(1000);
		await n8n.take('w1', 'c2');
		expect(storedCalls(db)).toEqual(['c1', 'c2']);
		await pass(5000);
		expect(n8n.delivered.at(-1)).toMatchObject({ address: addressOf('w1'), calls: ['c1', 'c2'] });
		await n8n.take('w2', 'c3');
		expect(storedCalls(db)).toEqual(['c3']);
	});

	it('is written once for all that come while n8n writes, each acknowledged after that', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		const first = n8n.delivery();
		const done: string[] = [];
		const takes = async (context: IWebhookFunctions, callSid: string) => {
			await n8n.takeIn(context, callSid);
			done.push(callSid);
		};
		await takes(first.context, 'c1');
		const others = ['c2', 'c3', 'c4'].map((callSid) => ({ callSid, ...n8n.delivery() }));
		const taking = others.map(async ({ context, callSid }) => await takes(context, callSid));
		await pass(10);
		expect(done).toEqual(['c1']);
		// n8n serializes static data when it writes it: the others are in it by now.
		first.save();
		await Promise.all(taking);
		expect(done).toEqual(['c1', 'c2', 'c3', 'c4']);
		expect(storedCalls(db)).toEqual(['c1', 'c2', 'c3', 'c4']);
	});

	it('is written by another delivery if the caller of the first one leaves', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		const first = n8n.delivery();
		await n8n.takeIn(first.context, 'c1');
		const second = n8n.take('w1', 'c2');
		first.leave();
		await second;
		expect(storedCalls(db)).toEqual(['c1', 'c2']);
	});

	it('is written again if the caller leaves before n8n has written', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		const first = n8n.delivery();
		await n8n.takeIn(first.context, 'c1');
		const second = n8n.take('w1', 'c2');
		await pass(0);
		// n8n has put both into words, and its database has not taken them.
		JSON.stringify(first.data);
		first.leave();
		await second;
		expect(storedCalls(db)).toEqual(['c1', 'c2']);
	});

	it('is stored with those of the other triggers of the workflow, which may be cut out', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		await n8n.take('w1', 'c1');
		await n8n.take('w2', 'c2', addressOf('w2'), { trigger: 't2' });
		expect(storedCalls(db)).toEqual(['c1', 'c2']);
	});

	it('takes at most 150 bytes', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		for (let at = 0; at < 500; at++) {
			await n8n.take('w1', `202601020930001234560001000${String(at).padStart(5, '0')}`);
		}
		expect(db.text.length / 500).toBeLessThan(150);
	});

	it('keeps no delivery waiting, whoever leaves, and in whatever order n8n answers', async () => {
		const events = fc.array(fc.record({ who: fc.nat(7), leaves: fc.boolean() }), { maxLength: 40 });
		await fc.assert(
			fc.asyncProperty(events, async (happening) => {
				const db = database();
				const n8n = processOfN8n(db, () => NOT_PARKED);
				const deliveries = Array.from({ length: 8 }, (_, at) => {
					const own = { ...n8n.delivery(), callSid: `c${at}`, isTaken: false, isOver: false };
					void n8n.takeIn(own.context, own.callSid).then(() => (own.isTaken = true));
					return own;
				});
				const end = async (own: (typeof deliveries)[number], leaves: boolean) => {
					if (own.isOver || !(leaves || own.isTaken)) return;
					own.isOver = true;
					if (leaves) own.leave();
					else own.save();
					await pass(0);
				};
				await pass(0);
				for (const { who, leaves } of happening) await end(deliveries[who], leaves);
				for (const own of deliveries) await end(own, false);
				expect(deliveries.map(({ isTaken }) => isTaken)).toEqual(deliveries.map(() => true));
				expect(deliveries.every(({ isOver }) => isOver)).toBe(true);
			}),
			{ numRuns: 50 },
		);
	});
});

describe('results of one wait', () => {
	it('are delivered together, as soon as none is missing', async () => {
		const n8n = processOfN8n(database(), ({ calls }) =>
			calls.length === 4
				? ACKNOWLEDGED
				: waitingFor(['c1', 'c2', 'c3', 'c4'].filter((c) => !calls.includes(c))),
		);
		await n8n.take('w1', 'c1');
		await pass(500);
		for (const callSid of ['c2', 'c3', 'c4']) await n8n.take('w1', callSid);
		await pass(500);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c1', 'c2', 'c3', 'c4']]);
	});

	it('are delivered when the limit passes, whatever is missing', async () => {
		const n8n = processOfN8n(database(), () =>
			Date.now() < NOW + MINUTE ? waitingFor(['c9'], MINUTE) : ACKNOWLEDGED,
		);
		await n8n.take('w1', 'c1');
		await pass(2 * MINUTE);
		expect(n8n.delivered.at(-1)?.at).toBeGreaterThanOrEqual(MINUTE);
		expect(n8n.delivered.at(-1)?.at).toBeLessThan(MINUTE + 1000);
	});

	it('do not flood n8n: a quarter of an hour costs fewer than twenty deliveries', async () => {
		const n8n = processOfN8n(database(), () => waitingFor(['c9'], 60 * MINUTE));
		await n8n.take('w1', 'c1');
		await pass(15 * MINUTE);
		expect(n8n.delivered.length).toBeLessThan(20);
	});

	it('of two hundred waits at once are delivered a few at a time', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		for (let at = 0; at < 200; at++) await n8n.take(`w${at}`, 'c1');
		n8n.delivered.length = 0;
		await pass(10_000);
		expect(n8n.delivered.length).toBeLessThanOrEqual(10 * 50);
	});

	it('wait quietly while the node of this process is still placing calls', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.run('w1');
		await n8n.take('w1', 'c1');
		await pass(20_000);
		expect(n8n.delivered).toEqual([]);
		n8n.park('w1', ['c1'], MINUTE);
		await pass(200);
		expect(n8n.delivered).toHaveLength(1);
	});

	it('that this process waits for cost one delivery: when they are complete', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], 60 * MINUTE);
		await n8n.take('w1', 'c1');
		await pass(30 * MINUTE);
		expect(n8n.delivered).toEqual([]);
		await n8n.take('w1', 'c2');
		await pass(200);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1', 'c2']]);
	});

	it('are delivered at once with the first call that was answered, where that is enough', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], 60 * MINUTE, { ...WAITING, firstAnswered: true });
		const body = bodyOf('c1').replace('"state":"1"', '"state":"0","duration":"9"');
		await n8n.take('w1', 'c1', addressOf('w1'), { body });
		await pass(200);
		expect(n8n.delivered).toHaveLength(1);
	});

	it('are delivered at the limit; without any the wait is ended two seconds later', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], MINUTE);
		n8n.park('w2', ['c3'], MINUTE);
		await n8n.take('w1', 'c1');
		await pass(MINUTE + 1000);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1']]);
		await pass(2000);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], []]);
	});

	it('end an empty wait for three minutes at most, and no log complains of it', async () => {
		const n8n = processOfN8n(database(), () => new Error('refused'));
		n8n.park('w1', ['c1'], MINUTE);
		await pass(4 * MINUTE + 1000);
		const { length } = n8n.delivered;
		expect(length).toBeGreaterThan(1);
		await pass(10 * MINUTE);
		expect(n8n.delivered).toHaveLength(length);
		expect(n8n.log).toEqual([]);
	});

	it('of a complete wait do not starve behind 300 that miss one, at a slow n8n', async () => {
		const n8n = processOfN8n(database(), async ({ address }) => {
			await new Promise((resolve) => {
				setTimeout(resolve, 2000);
			});
			return address.includes('ytWait=new') ? ACKNOWLEDGED : waitingFor(['c9'], 59 * MINUTE);
		});
		for (let at = 0; at < 300; at++) await n8n.take(`old${at}`, 'c1');
		await pass(200_000);
		n8n.delivered.length = 0;
		n8n.park('new', ['c1'], 10 * MINUTE);
		await n8n.take('new', 'c1');
		await pass(5000);
		expect(n8n.delivered.some(({ address }) => address.includes('ytWait=new'))).toBe(true);
	});

	describe('for executions that another process has not parked yet, at a slow n8n,', () => {
		const slowly = async ({ address }: Delivery) => {
			await new Promise((resolve) => {
				setTimeout(resolve, 2000);
			});
			return address.includes('ytWait=new') ? ACKNOWLEDGED : NOT_PARKED;
		};

		it.each<[string, (n8n: ReturnType<typeof processOfN8n>) => unknown]>([
			['a result that has just come', async (n8n) => await n8n.take('new', 'c1')],
			['the end of a wait without results', (n8n) => n8n.park('new', ['c1'], 1000)],
		])('do not starve %s', async (_, begin) => {
			const n8n = processOfN8n(database(), slowly);
			for (let at = 0; at < 100; at++) await n8n.take(`old${at}`, 'c1');
			await pass(60_000);
			n8n.delivered.length = 0;
			await begin(n8n);
			await pass(6000);
			expect(n8n.delivered.some(({ address }) => address.includes('ytWait=new'))).toBe(true);
		});

		it('have their turn, one as often as the other', async () => {
			const n8n = processOfN8n(database(), slowly);
			for (let at = 0; at < 100; at++) await n8n.take(`w${at}`, 'c1');
			await pass(20_000);
			n8n.delivered.length = 0;
			await pass(60_000);
			expect(new Set(n8n.delivered.map(({ address }) => address)).size).toBe(100);
		});
	});

	it('that come after the delivery are dropped, and no execution is loaded for them', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		await n8n.take('w1', 'c1');
		await pass(1000);
		await n8n.take('w1', 'c1');
		await n8n.take('w1', 'c2');
		await pass(MINUTE);
		expect(n8n.delivered).toHaveLength(1);
	});

	it('of two waits of one execution are kept apart', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		await n8n.take('w1', 'c1');
		await n8n.take('w2', 'c2');
		await pass(1000);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c2']]);
	});

	it('are delivered at the address that expires last', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const later = addressOf('w1', NOW + 90 * MINUTE);
		await n8n.take('w1', 'c1');
		await n8n.take('w1', 'c2', later);
		await n8n.take('w1', 'c3', addressOf('w1', NOW + 70 * MINUTE));
		await pass(5000);
		expect(n8n.delivered.at(-1)?.address).toBe(later);
	});
});

describe('an attempt to deliver', () => {
	const later = async <T>(value: T, ms: number) =>
		await new Promise<T>((resolve) => {
			setTimeout(() => resolve(value), ms);
		});

	/** A process whose attempts take a while, and how many of them were in flight at most. */
	function slowProcess(answer: Answer, ms: number) {
		const at = { once: 0, most: 0 };
		const n8n = processOfN8n(database(), async () => {
			at.most = Math.max(at.most, ++at.once);
			const answered = await later(answer, ms);
			at.once--;
			return answered;
		});
		return { n8n, at };
	}

	it('does not start while the one before is in flight, whatever comes', async () => {
		const { n8n, at } = slowProcess(NOT_PARKED, 20_000);
		for (const callSid of ['c1', 'c2', 'c3']) {
			await n8n.take('w1', callSid);
			await pass(5000);
		}
		expect([n8n.delivered.length, at.most]).toEqual([1, 1]);
	});

	it.each([
		['four, while n8n answers', NOT_PARKED, 4],
		['two, of those that nothing answered', new Error('timeout'), 2],
	])('runs beside %s', async (_, answer, most) => {
		const { n8n, at } = slowProcess(answer, 3000);
		for (let wait = 0; wait < 12; wait++) await n8n.take(`w${wait}`, 'c1');
		await pass(30_000);
		at.most = 0;
		await pass(30_000);
		expect(at.most).toBe(most);
	});

	it.each<[string, Answer, boolean]>([
		['taken', ACKNOWLEDGED, false],
		['that the execution has resumed', FINISHED, false],
		['that it was deleted', { statusCode: 404, body: 'The execution "7" does not exist.' }, false],
		['that the token is another', { statusCode: 401, body: '{"error":"Invalid token"}' }, false],
		['nothing', new Error('timeout'), true],
		['the page of an unexpected responder', { statusCode: 403, body: '<html>' }, true],
		['not parked', NOT_PARKED, true],
		['waiting', waitingFor(['c9']), false],
	])('answered with %s', async (_, answer, isRepeated) => {
		const n8n = processOfN8n(database(), () => answer);
		await n8n.take('w1', 'c1');
		await pass(5 * MINUTE);
		expect(n8n.delivered.length > 1).toBe(isRepeated);
	});

	it('is given up after eight times in a row without an answer in time', async () => {
		const n8n = processOfN8n(database(), async () => await later(new Error('timeout'), 20_000));
		await n8n.take('w1', 'c1');
		await pass(50 * MINUTE);
		expect(n8n.delivered).toHaveLength(8);
		expect(n8n.log.at(-1)).toContain('n8n has not answered, time after time');
	});

	it('is not given up before the limit of the wait', async () => {
		const n8n = processOfN8n(database(), async () => await later(new Error('timeout'), 20_000));
		n8n.park('w1', ['c1'], 20 * MINUTE);
		await n8n.take('w1', 'c1');
		await pass(19 * MINUTE);
		expect(n8n.delivered.length).toBeGreaterThan(20);
		expect(n8n.log).toEqual([expect.stringContaining('cannot be delivered yet')]);
		await pass(2 * MINUTE);
		expect(n8n.log.at(-1)).toContain('n8n has not answered, time after time');
	});

	it('does not flood n8n where an answered call was delivered and the execution still waits', async () => {
		const stubborn = {
			...waitingFor(['c9']),
			body: waitingFor(['c9']).body.replace('false', 'true'),
		};
		const n8n = processOfN8n(database(), () => stubborn);
		const body = bodyOf('c1').replace('"state":"1"', '"state":"0","duration":"9"');
		await n8n.take('w1', 'c1', addressOf('w1'), { body });
		await pass(10_000);
		expect(n8n.delivered.length).toBeLessThan(5);
	});

	it('of more than 900 KB comes in parts, and ends with the part that is enough', async () => {
		const n8n = processOfN8n(database(), () =>
			n8n.delivered.length < 2 ? waitingFor(['c9']) : ACKNOWLEDGED,
		);
		n8n.run('w1');
		const calls = Array.from({ length: 12 }, (_, at) => `c${at}`);
		for (const callSid of calls) {
			const long = { callSid, action: 'SellingCall', state: '1', userData: 'x'.repeat(200_000) };
			await n8n.take('w1', callSid, addressOf('w1'), { body: JSON.stringify(long) });
		}
		n8n.park('w1', calls, MINUTE);
		await pass(1000);
		expect(n8n.delivered.map((each) => each.calls)).toEqual([calls.slice(0, 4), calls.slice(4, 8)]);
	});
});

describe('after n8n was killed', () => {
	it('what has ended or expired meanwhile is not taken up again', async () => {
		const db = database();
		const one = processOfN8n(db, () => NOT_PARKED);
		await one.take('w1', 'c1');
		await one.take('w2', 'c2', addressOf('w2', NOW + 1000));
		const stored = db.text;
		const two = processOfN8n(db, () => ACKNOWLEDGED);
		await two.take('w3', 'c3');
		await pass(10_000);
		db.text = stored.replace('c1', 'c4');
		two.delivered.length = 0;
		await two.take('w4', 'c5');
		await pass(10_000);
		expect(two.delivered.map(({ calls }) => calls)).toEqual([['c5']]);
		expect(two.log.filter((line) => line.includes('expired'))).toHaveLength(1);
		const three = processOfN8n({ text: stored }, () => ACKNOWLEDGED);
		await three.take('w4', 'c5');
		await pass(10_000);
		expect(three.log).toEqual([]);
	});

	it('the relay delivers what is stored, at the next delivery', async () => {
		const db = database();
		const before = processOfN8n(db, () => NOT_PARKED);
		for (const callSid of ['c1', 'c2']) await before.take('w1', callSid);
		const after = processOfN8n(db, ({ calls }) => (calls.length === 3 ? ACKNOWLEDGED : NOT_PARKED));
		await after.take('w1', 'c3');
		await pass(4900);
		// n8n itself first resumes executions whose limit has passed.
		expect(after.delivered).toEqual([]);
		await pass(1000);
		expect(after.delivered.at(-1)?.calls).toEqual(['c1', 'c2', 'c3']);
	});

	it.each(['', 'null', '"rubbish"', '7', '[7]', '[["a",[7]]]', '[[7,[[0]]]]'])(
		'a database that holds %j is as good as an empty one',
		async (text) => {
			const db = { text: text && `{"yuntongxunResults":${text}}` };
			db.text ||= '{}';
			const n8n = processOfN8n(db, () => ACKNOWLEDGED);
			await n8n.take('w1', 'c1');
			await pass(1000);
			expect(n8n.delivered).toHaveLength(1);
		},
	);

	it('a test event of the editor does not keep the relay from reading what is stored', async () => {
		const db = database();
		await processOfN8n(db, () => NOT_PARKED).take('w1', 'c1');
		const after = processOfN8n(db, () => NOT_PARKED);
		const test = after.delivery('t1', 'manual');
		await after.takeIn(test.context, 'c2', addressOf('w2'));
		test.save();
		await after.take('w3', 'c3');
		expect(storedCalls(db).sort()).toEqual(['c1', 'c3']);
		await pass(6000);
		expect(after.delivered.map(({ calls }) => calls)).toEqual(
			expect.arrayContaining([['c1'], ['c2'], ['c3']]),
		);
	});

	it('what one process wrote over is written again with its next result', async () => {
		const db = database();
		const one = processOfN8n(db, () => NOT_PARKED);
		const two = processOfN8n({ text: '{}' }, () => NOT_PARKED);
		await one.take('w1', 'c1');
		db.text = '{}';
		await two.take('w1', 'c2');
		await one.take('w1', 'c3');
		expect(storedCalls(db)).toEqual(['c1', 'c3']);
	});
});

it('has room for 32 MB of results, and again once some were delivered', async () => {
	let answer: Answer = NOT_PARKED;
	const n8n = processOfN8n(database(), () => answer);
	const { context, save } = n8n.delivery();
	const userData = 'x'.repeat(250_000);
	const body = JSON.stringify({ callSid: 'c1', action: 'SellingCall', userData });
	let taken = 0;
	for (; n8n.hasRoom(); taken++) void n8n.takeIn(context, 'c1', addressOf(`w${taken}`), body);
	expect(taken).toBe(135);
	answer = ACKNOWLEDGED;
	save();
	await pass(5000);
	expect(n8n.hasRoom()).toBe(true);
});

describe('the log', () => {
	const NO_NUMBERS = /1380000/;

	it.each<[string, Answer, string]>([
		['info: ', FINISHED, 'came after the execution had resumed'],
		['warn: ', { statusCode: 401, body: '{"error":"Invalid token"}' }, 'n8n refused the address'],
		['warn: ', { statusCode: 403, body: '<html>' }, 'something that is not n8n answers'],
		['warn: ', new Error('connect ECONNREFUSED'), 'gets no answer at its own public address'],
	])('says once %s%j: %s', async (level, answer, words) => {
		const n8n = processOfN8n(database(), () => answer);
		await n8n.take('w1', 'c1');
		await pass(MINUTE);
		expect(n8n.log).toEqual([expect.stringContaining(words)]);
		expect(n8n.log[0].startsWith(`${level}Yuntongxun: a call result of execution 7 `)).toBe(true);
		expect(n8n.log[0]).toContain('c1');
		expect(n8n.log[0]).not.toMatch(NO_NUMBERS);
		expect(n8n.log[0]).not.toContain('ytSignature');
	});

	it('says what could not be delivered before its address expired', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		await n8n.take('w1', 'c1', addressOf('w1', NOW + MINUTE));
		await pass(2 * MINUTE);
		expect(n8n.log).toEqual([expect.stringContaining('before its address expired')]);
		const { length } = n8n.delivered;
		await pass(MINUTE);
		expect(n8n.delivered).toHaveLength(length);
	});

	it('names execution and calls, and nothing else of them', async () => {
		const n8n = processOfN8n(database(), () => FINISHED);
		await n8n.take('w1', 'c1');
		await pass(MINUTE);
		expect(n8n.log).toEqual([
			'info: Yuntongxun: a call result of execution 7 came after the execution had resumed (HTTP 409, voiceNotification c1)',
		]);
	});

	it('names the execution whatever its number', async () => {
		const n8n = processOfN8n(database(), () => FINISHED);
		const address = addressOf('w1').replace('/7/', '/1234/');
		await n8n.take('w1', 'c1', address);
		await pass(MINUTE);
		expect(n8n.log[0]).toContain('of execution 1234 came');
	});

	it('says nothing of a result that arrived', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		await n8n.take('w1', 'c1');
		await pass(MINUTE);
		expect(n8n.log).toEqual([]);
	});
});

it('executions that never answer do not hold up the others', async () => {
	const n8n = processOfN8n(database(), ({ address }) =>
		address.includes('stuck') ? new Error('timeout') : ACKNOWLEDGED,
	);
	for (let at = 0; at < 20; at++) await n8n.take(`stuck${at}`, 'c1');
	await pass(5000);
	await n8n.take('w1', 'c1');
	n8n.delivered.length = 0;
	await pass(1000);
	expect(n8n.delivered.some(({ address }) => address === addressOf('w1'))).toBe(true);
});

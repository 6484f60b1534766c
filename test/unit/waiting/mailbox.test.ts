import type { IDataObject } from 'n8n-workflow';

import type { CallResult } from '../../../nodes/Yuntongxun/callbacks/notification';
import type { KnockReply, Sender } from '../../../nodes/Yuntongxun/waiting/knock';
import { Mailbox } from '../../../nodes/Yuntongxun/waiting/mailbox';
import type { ResumeKey } from '../../../nodes/Yuntongxun/waiting/resumeKey';
import { useFakeClock } from '../../support/fakeClock';
import { toResult } from '../../support/notifications';

const HOUR = 3_600_000;
const OWN = 'http://127.0.0.1:5678/webhook-waiting';
const PUBLIC = 'https://n8n.example.com/webhook-waiting';
const DOORS = [OWN, PUBLIC];

type Answer = { statusCode: number; body: string };
const say = (reply: KnockReply): Answer => ({ statusCode: 200, body: JSON.stringify(reply) });
const RESUMED = say({ wait: 'resumed' });
const SOON = say({ wait: 'soon' });
const OTHER = say({ wait: 'other' });
const waiting = (results: number, leftMs = HOUR) => say({ wait: 'waiting', leftMs, results });
const RUNNING = { statusCode: 409, body: 'The execution "7" is running already.' };
const FINISHED = { statusCode: 409, body: 'The execution "7 has finished already.' };
const GONE = { statusCode: 404, body: 'The execution "7" does not exist.' };
const ELSEWHERE = {
	statusCode: 404,
	body: 'The workflow for execution "7" does not contain a waiting webhook with a matching path/method.',
};
const PROXY = { statusCode: 200, body: '<html>Log in</html>' };

const keyOf = (wait: string, execution = '7'): ResumeKey => ({ execution, waitId: wait });

/** A mailbox in an n8n that answers knocks as it is told, and its log. */
function open(answer: (url: string) => Answer | Promise<Answer> = () => RUNNING) {
	const knocks: Array<{ url: string; at: number }> = [];
	const log: string[] = [];
	const n8n = { answer };
	const httpRequest = async ({ url, body }: IDataObject) => {
		expect(body).toBeUndefined();
		knocks.push({ url: String(url), at: Date.now() });
		return await n8n.answer(String(url));
	};
	const sender = {
		helpers: { httpRequest },
		logger: { warn: (line: string) => void log.push(line) },
	} as unknown as Sender;
	const mailbox = new Mailbox();
	const put = (wait: string, ...results: CallResult[]) =>
		mailbox.put(sender, DOORS, keyOf(wait), results);
	/** When there were knocks since then, in milliseconds from then. */
	const knockTimes = (since: number) =>
		knocks.filter(({ at }) => at >= since).map(({ at }) => at - since);
	const bases = () => knocks.map(({ url }) => (url.startsWith(OWN) ? 'own' : 'public'));
	return { mailbox, sender, put, knocks, knockTimes, bases, log, n8n };
}

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);
const fails = async () =>
	await Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));

useFakeClock();

describe('a result', () => {
	it('is knocked for at once, at the socket on which it came in, without a body', async () => {
		const { put, knocks, mailbox } = open(() => waiting(1));
		expect(put('w1', toResult('c1'))).toBe(true);
		await pass(0);
		expect(knocks.map(({ url }) => url)).toEqual([`${OWN}/7/yuntongxun-result?ytWait=w1`]);
		expect([...mailbox.getResults('w1').keys()]).toEqual(['c1']);
		expect(mailbox.getResults('w2').size).toBe(0);
	});

	it.each<[string, CallResult[], string]>([
		['the first counts', [toResult('c1', { state: '2' }), toResult('c1', { state: '0' })], '2'],
		[
			'one that says how the call ended counts before one that does not',
			[toResult('c1', { action: '', state: '' }), toResult('c1', { state: '1' })],
			'1',
		],
		['without a callSid it is nobody’s', [toResult(''), toResult('c1', { state: '0' })], '0'],
	])('of several of one call: %s', (_, results, state) => {
		for (const apart of [true, false]) {
			const { mailbox, put } = open();
			if (apart) results.forEach((result) => put('w1', result));
			else put('w1', ...results);
			expect([...mailbox.getResults('w1').values()].map((each) => each.callEvent.state)).toEqual([
				state,
			]);
		}
	});

	it('is refused above 64 MB in the process, and there is room again once a box is closed', async () => {
		const large = (sid: string) => toResult(sid, { userData: 'x'.repeat(1024 * 1024) });
		const { n8n, put } = open();
		const taken = Array.from({ length: 70 }, (_, at) => put(`w${at}`, large('c1')));
		// It is in there twice: as a field, and as it was delivered.
		expect(taken.filter(Boolean)).toHaveLength(31);
		n8n.answer = () => RESUMED;
		await pass(10_000);
		expect(put('another', large('c1'))).toBe(true);
	});
});

describe('knocks', () => {
	it('go on as long as the execution runs, with pauses from 0.3 to 5 seconds', async () => {
		const { put, knocks, knockTimes, mailbox, log } = open();
		const start = Date.now();
		put('w1', toResult('c1'));
		await pass(20_000);
		expect(knockTimes(start)).toEqual([0, 300, 900, 2100, 4500, 9300, 14_300, 19_300]);
		await pass(HOUR);
		expect(knocks.length).toBeGreaterThan(700);
		expect([mailbox.getResults('w1').size, log]).toEqual([1, []]);
	});

	it('stop while results are missing, and begin again with news, every hour, and at the limit', async () => {
		const start = Date.now();
		const limit = start + 2.5 * HOUR;
		const { mailbox, put, n8n, knockTimes } = open();
		n8n.answer = () =>
			Date.now() >= limit ? RESUMED : waiting(mailbox.getResults('w1').size, limit - Date.now());
		put('w1', toResult('c1'));
		await pass(HOUR / 2);
		put('w1', toResult('c2'));
		await pass(3 * HOUR);
		expect(knockTimes(start).map((at) => Math.floor(at / 1000))).toEqual([0, 1801, 5401, 9000]);
	});

	it('come a second later, once, for all results that arrived during the last one', async () => {
		const { mailbox, put, n8n, knockTimes } = open();
		const start = Date.now();
		n8n.answer = () => {
			const { size } = mailbox.getResults('w1');
			if (size === 1) put('w1', toResult('c2'));
			return waiting(size);
		};
		put('w1', toResult('c1'));
		await pass(10_000);
		put('w1', toResult('c3'));
		await pass(150);
		put('w1', toResult('c4'));
		await pass(10_000);
		expect(knockTimes(start)).toEqual([0, 1000, 11_000]);
	});

	it('are at most four at a time, not counting those older than five seconds', async () => {
		const { put, knocks } = open(async () => await new Promise(() => {}));
		for (let wait = 1; wait <= 10; wait++) put(`w${wait}`, toResult('c1'));
		await pass(4900);
		expect(knocks).toHaveLength(4);
		await pass(200);
		expect(knocks).toHaveLength(8);
		await pass(5000);
		expect(knocks).toHaveLength(10);
	});

	it('end after twenty seconds without an answer, and are repeated', async () => {
		const { put, knocks, log } = open(async () => await new Promise(() => {}));
		put('w1', toResult('c1'));
		await pass(19_900);
		expect(knocks).toHaveLength(1);
		await pass(600);
		expect(knocks).toHaveLength(2);
		await pass(HOUR / 4);
		expect(log).toEqual([expect.stringContaining('(no answer)')]);
	});
});

describe('the address', () => {
	it.each<[string, Answer | (() => Promise<never>)]>([
		['breaks', fails],
		['is one of a proxy', PROXY],
		['refuses the token', { statusCode: 401, body: '{"error":"Invalid token"}' }],
		['leads to a process that sees fewer results', waiting(0)],
		['leads there at the limit, too', waiting(0, 0)],
	])('changes if the first one %s, and stays for this wait', async (_, answer) => {
		const { put, n8n, knocks, bases } = open();
		n8n.answer = (url) => {
			if (!url.startsWith(OWN)) return waiting(9);
			return typeof answer === 'function' ? answer() : answer;
		};
		put('w1', toResult('c1'));
		await pass(1000);
		put('w1', toResult('c2'));
		await pass(2000);
		expect(bases()).toEqual(['own', 'public', 'public']);
		expect(knocks[1].url).toContain(PUBLIC);
	});

	it('follows a later delivery, but not one whose client has hung up', async () => {
		const { mailbox, put, sender, knocks, bases, n8n } = open(() => waiting(9));
		mailbox.put(sender, [PUBLIC], keyOf('w1'), [toResult('c1')]);
		await pass(2000);
		n8n.answer = fails;
		put('w1', toResult('c1'));
		mailbox.put(sender, [PUBLIC], keyOf('w1'), [toResult('c2')]);
		await pass(2000);
		expect(bases()).toEqual(['public', 'own', 'public', 'own']);
		// As many doors, at another address.
		const MOVED = 'https://moved.example.com/webhook-waiting';
		n8n.answer = () => waiting(9);
		mailbox.put(sender, [MOVED, MOVED], keyOf('w1'), [toResult('c3')]);
		await pass(2000);
		expect(knocks.at(-1)?.url).toContain(MOVED);
	});
});

describe('after half an hour of knocks in vain', () => {
	it.each<[string, Answer | (() => Promise<never>), string]>([
		['refused connections', fails, 'ECONNREFUSED'],
		['pages of a proxy', PROXY, 'HTTP 200'],
		['other processes', waiting(0), 'another process of n8n answered'],
		['other waits', OTHER, 'the execution waits for something else'],
		['other nodes', ELSEWHERE, 'the execution waits for something else'],
	])(
		'what is in the box is dropped, and the log says why from the first minute: %s',
		async (_, answer, reason) => {
			const why = `announced at ${OWN} and ${PUBLIC} (${reason}). If n8n uses HTTP_PROXY, name the hosts of these addresses in NO_PROXY; if it has SSRF protection, let it allow them; if it has a certificate of its own, let it trust it (NODE_EXTRA_CA_CERTS)`;
			const told = `Yuntongxun: 2 call result(s) for waiting execution 7 cannot be ${why}`;
			const { mailbox, put, log, knocks } = open(() =>
				typeof answer === 'function' ? answer() : answer,
			);
			put('w1', toResult('c1'), toResult('c2'));
			await pass(55_000);
			expect(log).toEqual([]);
			await pass(HOUR / 2 - 65_000);
			expect([mailbox.getResults('w1').size, log]).toEqual([2, [told]]);
			await pass(20_000);
			expect(mailbox.getResults('w1').size).toBe(0);
			expect(log).toEqual([
				told,
				`Yuntongxun: 2 call result(s) for waiting execution 7 were dropped: for half an hour they could not be ${why}`,
			]);
			const { length } = knocks;
			await pass(HOUR);
			expect(knocks).toHaveLength(length);
			// n8n may be reachable again.
			put('w1', toResult('c3'));
			await pass(0);
			expect(knocks).toHaveLength(length + 1);
		},
	);

	it.each([RUNNING, waiting(1, 300)])(
		'but not if n8n let one of them through: %j',
		async (answer) => {
			const { mailbox, put, n8n, log } = open(() => PROXY);
			put('w1', toResult('c1'));
			await pass(HOUR / 2 - 10_000);
			n8n.answer = () => answer;
			await pass(6000);
			n8n.answer = () => PROXY;
			await pass(HOUR / 2 - 10_000);
			expect([mailbox.getResults('w1').size, log.length]).toEqual([1, 1]);
		},
	);
});

describe('a box is closed', () => {
	it('silently when n8n has answered the knock that resumed', async () => {
		const { mailbox, put, n8n, knocks, log } = open();
		n8n.answer = () => {
			mailbox.noteEnded('w1');
			return RESUMED;
		};
		put('w1', toResult('c1'));
		await pass(10_000);
		expect([mailbox.getResults('w1').size, knocks.length, log]).toEqual([0, 1, []]);
	});

	it.each([RUNNING, FINISHED, GONE, OTHER, ELSEWHERE])(
		'silently if the answer to that knock was lost, and n8n then says %j',
		async (answer) => {
			const { mailbox, put, n8n, log } = open();
			n8n.answer = async () => {
				mailbox.noteEnded('w1');
				n8n.answer = () => answer;
				return await fails();
			};
			put('w1', toResult('c1'));
			await pass(1000);
			expect([mailbox.getResults('w1').size, log]).toEqual([0, []]);
		},
	);

	it('silently after half an hour, if the answer to that knock was lost and n8n cannot be reached since', async () => {
		const { mailbox, put, log } = open(fails);
		put('w1', toResult('c1'));
		mailbox.noteEnded('w1');
		await pass(HOUR / 2 + 10_000);
		expect([mailbox.getResults('w1').size, log]).toEqual([0, []]);
	});

	it.each([true, false])(
		'never while a resume is under way (here: %s), however long it takes',
		async (isOwn) => {
			const { mailbox, put, knocks } = open(() => SOON);
			if (isOwn) mailbox.noteEnded('w1');
			put('w1', toResult('c1'));
			await pass(HOUR);
			expect(mailbox.getResults('w1').size).toBe(1);
			expect(knocks.length).toBeGreaterThan(500);
		},
	);

	it('not after a resume that was undone and may come again', async () => {
		const { mailbox, put, n8n } = open();
		const takeBack = mailbox.noteEnded('w1');
		expect(mailbox.hasEnded('w1')).toBe(true);
		put('w1', toResult('c1'));
		takeBack();
		await pass(1000);
		expect([mailbox.hasEnded('w1'), mailbox.getResults('w1').size]).toEqual([false, 1]);
		n8n.answer = () => RESUMED;
		await pass(5000);
		expect(mailbox.getResults('w1').size).toBe(0);
	});

	it('without closing that of a later wait of the same execution', async () => {
		const { mailbox, put, n8n, log } = open();
		let answerLate: (answer: Answer) => void = () => {};
		n8n.answer = async () => {
			mailbox.noteEnded('w1');
			return await new Promise<Answer>((resolve) => (answerLate = resolve));
		};
		put('w1', toResult('c1'));
		await pass(0);
		n8n.answer = () => RUNNING;
		put('w2', toResult('c2'));
		await pass(3000);
		answerLate(RESUMED);
		await pass(0);
		expect([mailbox.getResults('w1').size, mailbox.getResults('w2').size, log]).toEqual([0, 1, []]);
	});
});

describe('a result that comes too late', () => {
	const TOLD =
		'Yuntongxun: 1 call result(s) came too late for execution 7, which no longer waits for them';

	it.each([FINISHED, GONE])('is dropped and logged, but no copy of it: %j', async (answer) => {
		const { mailbox, put, log } = open(() => answer);
		for (const [sid, lines] of [
			['c1', 1],
			['c1', 1],
			['c2', 2],
		] as const) {
			put('w1', toResult(sid));
			await pass(1000);
			expect(log).toEqual(Array(lines).fill(TOLD));
		}
		expect(mailbox.getResults('w1').size).toBe(0);
	});

	it.each<[string, string, string[]]>([
		['is not logged if it is a copy', 'c1', []],
		['is logged if it is of another call', 'c2', [TOLD]],
	])('for a wait that this process has ended %s', async (_, callSid, expected) => {
		const { mailbox, put, n8n, log } = open();
		n8n.answer = () => {
			mailbox.noteEnded('w1');
			n8n.answer = () => RUNNING;
			return RESUMED;
		};
		put('w1', toResult('c1'));
		await pass(1000);
		expect(put('w1', toResult(callSid))).toBe(true);
		await pass(1000);
		put('w1', toResult(callSid));
		await pass(1000);
		expect([mailbox.getResults('w1').size, log]).toEqual([0, expected]);
	});

	it('is logged if it came between the resume and n8n’s answer', async () => {
		const { mailbox, put, n8n, log } = open();
		n8n.answer = () => {
			mailbox.noteEnded('w1');
			put('w1', toResult('c2'));
			return RESUMED;
		};
		put('w1', toResult('c1'));
		await pass(1000);
		expect(log).toEqual([TOLD]);
	});

	it('is logged if another process has ended the wait without it', async () => {
		const { put, log } = open(() => RESUMED);
		put('w1', toResult('c1'));
		await pass(1000);
		expect(log).toEqual([TOLD]);
	});
});

it('the loop ends with the last box and releases the context of n8n', async () => {
	const { mailbox, put, n8n } = open();
	put('w1', toResult('c1'));
	await pass(1000);
	n8n.answer = () => GONE;
	// The last deadline of a knock passes.
	await pass(30_000);
	expect(jest.getTimerCount()).toBe(0);
	expect((mailbox as unknown as { sender?: unknown }).sender).toBeUndefined();
});

import type { IHttpRequestOptions } from 'n8n-workflow';

import { readEnvelope } from '../../../../nodes/Yuntongxun/callbacks/envelope';
import { Relay } from '../../../../nodes/Yuntongxun/waiting/relay/relay';
import type { Sender } from '../../../../nodes/Yuntongxun/waiting/post/ownN8n';
import { ACKNOWLEDGEMENT } from '../../../support/fakeN8n';
import { useFakeClock } from '../../../support/fakeClock';

const NOW = Date.UTC(2026, 0, 1);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

type Answer = { statusCode: number; body: string };

const TAKEN: Answer = { statusCode: 200, body: ACKNOWLEDGEMENT };
const failed = (statusCode: number): Answer => ({ statusCode, body: '' });

const nodeSays = (body: object): Answer => ({ statusCode: 200, body: JSON.stringify(body) });
const OTHER = nodeSays({ wait: 'other' });
const waiting = (leftMs = 10 * MINUTE) => nodeSays({ wait: 'waiting', leftMs });

/** In the words of n8n 1.123 and 2.41. */
const n8nSays = (statusCode: number, message: string): Answer => ({
	statusCode,
	body: JSON.stringify({ message }),
});
const RUNNING = n8nSays(409, 'The execution "7" is running already.');
const FINISHED = n8nSays(409, 'The execution "7 has finished already.');
const GONE = n8nSays(404, 'The execution "7" does not exist.');
const ELSEWHERE = n8nSays(
	404,
	'The workflow for execution "7" does not contain a waiting webhook with a matching path/method.',
);

/** The address of a wait of an execution. */
const addressOf = (waitId: string) =>
	`https://n8n.example.com/webhook-waiting/7/yuntongxun-result?ytWait=${waitId}`;

/** A request that the relay has made. */
interface Posted {
	waitId: string;
	bodies: string[];
	/** In milliseconds since the test began. */
	at: number;
}

/** A relay, and an n8n that answers what it posts; requests count from 1. */
function relayTo(answer: (posted: Posted, nth: number) => Answer | Promise<Answer>) {
	const relay = new Relay();
	const posts: Posted[] = [];
	const log: string[] = [];
	const httpRequest = async ({ url, body }: IHttpRequestOptions) => {
		const results = readEnvelope(Buffer.from(String(body)), Date.now()) ?? [];
		const post = {
			waitId: new URL(url).searchParams.get('ytWait') ?? '',
			bodies: results.map((result) => result.body),
			at: Date.now() - NOW,
		};
		posts.push(post);
		return await answer(post, posts.length);
	};
	const sender = {
		helpers: { httpRequest },
		logger: {
			warn: (line: string) => void log.push(line),
			debug: (line: string) => void log.push(`debug: ${line}`),
		},
	};
	let settled = 0;
	/** @returns whether there was room */
	const passOn = (waitId: string, body: string, url = addressOf(waitId)) => {
		const passing = relay.passOn(sender as unknown as Sender, url, {
			body,
			receivedAt: Date.now(),
		});
		void passing?.then(() => void (settled += 1));
		return passing !== undefined;
	};
	const park = (waitId: string, limitMs: number) =>
		relay.noteParked(sender as unknown as Sender, addressOf(waitId), Date.now() + limitMs);
	const bodies = () => posts.map((post) => post.bodies.join(' '));
	const times = () => posts.map(({ at }) => at);
	return { relay, posts, bodies, times, log, passOn, park, settled: () => settled };
}

const pass = async (ms: number) => await jest.advanceTimersByTimeAsync(ms);

const silence = async () => await new Promise<Answer>(() => {});

/** A request that n8n answers only when it is told to. */
function held() {
	const open: Array<() => void> = [];
	const hold = async (answer: Answer) => {
		await new Promise<void>((resolve) => open.push(resolve));
		return answer;
	};
	const release = async () => {
		open.shift()?.();
		await pass(0);
	};
	return { hold, release };
}

useFakeClock(NOW);

describe('A result', () => {
	it('is passed on at once, as it was delivered, and then settled', async () => {
		const { passOn, posts, settled, log } = relayTo(() => TAKEN);
		expect(passOn('w', '<a>é"</a>')).toBe(true);
		await pass(0);
		expect(posts).toEqual([{ waitId: 'w', bodies: ['<a>é"</a>'], at: 0 }]);
		expect(settled()).toBe(1);
		await pass(DAY);
		expect(posts).toHaveLength(1);
		expect(log).toEqual([]);
	});

	it('is posted again after 0.3 seconds, doubling to 30, and never later', async () => {
		const { passOn, times, settled } = relayTo(() => RUNNING);
		passOn('w', 'r');
		await pass(22 * MINUTE);
		const pauses = times().map((at, position) => at - (times()[position - 1] ?? at));
		const doubling = [300, 600, 1200, 2400, 4800, 9600, 19_200];
		expect(pauses.slice(0, 8)).toEqual([0, ...doubling]);
		expect(new Set(pauses.slice(8))).toEqual(new Set([30_000]));
		expect(settled()).toBe(0);
	});

	it.each<[string, Answer | Error]>([
		['the execution runs', RUNNING],
		['n8n 1 parks it', failed(500)],
		['a proxy forbids it', { statusCode: 403, body: 'Forbidden' }],
		['nothing is registered', { statusCode: 404, body: 'not found' }],
		['another page answers', { statusCode: 200, body: '<html>' }],
		['nothing is in the answer', { statusCode: 200, body: 'null' }],
		['the answer lacks the limit', nodeSays({ wait: 'waiting' })],
		['there is no connection', new Error('ECONNREFUSED')],
	])('is posted again where %s', async (_, first) => {
		const { passOn, posts, settled } = relayTo((_posted, nth) => {
			if (nth > 1) return TAKEN;
			if (first instanceof Error) throw first;
			return first;
		});
		passOn('w', 'r');
		await pass(299);
		expect([posts.length, settled()]).toEqual([1, 0]);
		await pass(1);
		expect([posts.length, settled()]).toEqual([2, 1]);
	});

	it.each([
		['the execution resumes with it, or the wait is over', TAKEN, []],
		['the execution has finished', FINISHED, ['the execution has finished']],
		['the execution does not exist', GONE, ['the execution does not exist']],
	])('is not posted again where %s', async (_, answer, reasons) => {
		const { passOn, posts, settled, log } = relayTo(() => answer);
		passOn('w', 'r');
		await pass(60 * MINUTE);
		expect([posts.length, settled()]).toEqual([1, 1]);
		expect(log).toEqual(
			reasons.map(
				(reason) => `Yuntongxun: 1 call result(s) for waiting execution 7 were dropped: ${reason}`,
			),
		);
	});

	type Answering = (nth: number) => Answer | Promise<Answer>;

	it.each<[string, Answering, number, number, string]>([
		[
			'after two minutes in which another wait is in the way',
			() => ELSEWHERE,
			2 * MINUTE,
			30 * SECOND,
			'were dropped: the execution waits for another node',
		],
		[
			'after half an hour of silence, whatever was answered before',
			async (nth) => (nth === 1 ? RUNNING : await silence()),
			29 * MINUTE,
			3 * MINUTE,
			'were dropped: no answer in time',
		],
		[
			'after half an hour in which n8n never said that the execution runs',
			() => failed(500),
			29 * MINUTE,
			2 * MINUTE,
			'were dropped: HTTP 500',
		],
	])('is dropped %s', async (_, answer, kept, later, reason) => {
		const { passOn, settled, log } = relayTo(async (_posted, nth) => await answer(nth));
		passOn('w', 'r');
		await pass(kept);
		expect(settled()).toBe(0);
		await pass(later);
		expect(settled()).toBe(1);
		expect(log.at(-1)).toContain(reason);
	});

	it('is kept where another wait is in the way now and then', async () => {
		const { passOn, settled } = relayTo((_posted, nth) => (nth % 2 === 0 ? RUNNING : OTHER));
		passOn('w', 'r');
		await pass(20 * MINUTE);
		expect(settled()).toBe(0);
	});

	it('has half an hour of its own, however long the others were tried', async () => {
		const { passOn, settled } = relayTo(() => failed(500));
		passOn('w', 'first');
		await pass(20 * MINUTE);
		passOn('w', 'second');
		await pass(15 * MINUTE);
		expect(settled()).toBe(1);
		await pass(20 * MINUTE);
		expect(settled()).toBe(2);
	});

	it('is passed on for more than an hour while n8n says that the execution runs', async () => {
		let isParked = false;
		const { passOn, settled } = relayTo(() => (isParked ? TAKEN : RUNNING));
		passOn('w', 'r');
		await pass(70 * MINUTE);
		expect(settled()).toBe(0);
		isParked = true;
		await pass(5 * MINUTE);
		expect(settled()).toBe(1);
	});

	it('a result that is stuck for a minute is logged once, with the status', async () => {
		const { passOn, log } = relayTo(() => ({ statusCode: 403, body: 'Forbidden' }));
		passOn('w', '13800000000');
		await pass(59 * SECOND);
		expect(log).toEqual([]);
		await pass(20 * MINUTE);
		expect(log).toEqual([
			"Yuntongxun: 1 call result(s) for waiting execution 7 cannot be passed on yet to n8n's own public address, N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.35) (HTTP 403)",
		]);
	});
});

describe('The results of one wait', () => {
	it('go one request at a time: what comes meanwhile goes with the next, a second after the answer', async () => {
		const { hold, release } = held();
		const { passOn, posts, bodies } = relayTo(async () => await hold(waiting()));
		passOn('w', 'r1');
		await pass(500);
		passOn('w', 'r2');
		await pass(500);
		expect(bodies()).toEqual(['r1']);
		await release();
		passOn('w', 'r3');
		await pass(999);
		expect(bodies()).toEqual(['r1']);
		await pass(1);
		expect(bodies()).toEqual(['r1', 'r2 r3']);
		expect(posts[1].at).toBe(2000);
	});

	it('go at once where the answer is more than a second old', async () => {
		const { passOn, times } = relayTo(() => waiting());
		passOn('w', 'r1');
		await pass(1500);
		passOn('w', 'r2');
		await pass(0);
		expect(times()).toEqual([0, 1500]);
	});

	it('are told from those of an execution with the same secret at another address', async () => {
		const { passOn, posts } = relayTo(() => RUNNING);
		passOn('w', 'r');
		passOn('w', 'r', addressOf('w').replace('/7/', '/8/'));
		await pass(0);
		expect(posts).toHaveLength(2);
	});

	it('go in requests of at most 256 KB, and of at least one result', async () => {
		const { passOn, posts } = relayTo(() => waiting());
		const large = (letter: string) => letter.repeat(100_000);
		for (const letter of ['a', 'b', 'c']) passOn('w', large(letter));
		passOn('w', 'd'.repeat(70_000));
		passOn('w', 'e'.repeat(300_000));
		await pass(4 * SECOND);
		const letters = posts.map((post) => post.bodies.map(([letter]) => letter).join(''));
		expect(letters).toEqual(['a', 'bc', 'd', 'e']);
	});

	it('one that fills more than the waiting node reads has no room, since it would hold up the others', async () => {
		const { passOn, settled } = relayTo(() => waiting());
		// A control character takes six bytes in the JSON of a request, of which 512 KB are read.
		expect(passOn('w', '\u0001'.repeat(90_000))).toBe(false);
		expect(passOn('w', 'r')).toBe(true);
		await pass(SECOND);
		expect(settled()).toBe(1);
	});

	it('results that are equal are one', async () => {
		let isParked = false;
		const { passOn, bodies, settled } = relayTo(() => (isParked ? TAKEN : RUNNING));
		for (let copy = 0; copy < 3; copy += 1) expect(passOn('w', 'r')).toBe(true);
		isParked = true;
		await pass(SECOND);
		expect(new Set(bodies())).toEqual(new Set(['r']));
		expect(settled()).toBe(3);
	});

	it('results that came too late for the one that resumed it are dropped and logged', async () => {
		const { hold, release } = held();
		const { passOn, settled, log } = relayTo(async () => await hold(TAKEN));
		passOn('w', 'r1');
		await pass(0);
		passOn('w', 'late');
		await release();
		expect(settled()).toBe(2);
		expect(log).toEqual([
			'Yuntongxun: 1 call result(s) for waiting execution 7 were dropped: the execution has gone on',
		]);
	});

	it('take at most 2 MB while they are on their way, and no room of another wait', async () => {
		let isParked = false;
		const { passOn } = relayTo(() => (isParked ? waiting() : RUNNING));
		const taken = Array.from({ length: 100 }, (_, at) => passOn('w', `${at}`.padEnd(32_000, 'x')));
		const room = taken.filter(Boolean).length;
		expect(room * 32_000).toBeLessThanOrEqual(2 * 1024 * 1024);
		expect(room).toBe(65);
		expect(passOn('another', 'r')).toBe(true);
		isParked = true;
		await pass(20 * SECOND);
		expect(passOn('w', 'x'.repeat(32_000))).toBe(true);
	});

	it('take at most 64 MB in the whole process', async () => {
		const { passOn } = relayTo(() => RUNNING);
		let room = 0;
		for (let wait = 0; wait < 40; wait += 1) {
			for (let at = 0; at < 65; at += 1) {
				if (passOn(`w${wait}`, `${at}`.padEnd(32_000, 'x'))) room += 1;
			}
		}
		expect(room * 32_000).toBeLessThanOrEqual(64 * 1024 * 1024);
		expect(room).toBe(2083);
	});

	it('go out through the latest context that n8n gave', async () => {
		const { relay, passOn, posts } = relayTo(() => RUNNING);
		passOn('w', 'r');
		await pass(0);
		const used = jest.fn(async () => TAKEN);
		const sender = { helpers: { httpRequest: used }, logger: { warn: () => {} } };
		void relay.passOn(sender as unknown as Sender, addressOf('other'), {
			body: 'x',
			receivedAt: NOW,
		});
		await pass(SECOND);
		expect(posts).toHaveLength(1);
		expect(used).toHaveBeenCalledTimes(2);
	});
});

describe('A result that is new', () => {
	it('begins with the first pause again, where another process may have parked meanwhile', async () => {
		const { passOn, times } = relayTo(() => failed(500));
		passOn('w', 'r1');
		await pass(50 * SECOND);
		const before = times().length;
		passOn('w', 'r2');
		await pass(SECOND);
		expect(times().slice(before)).toEqual([50_300, 50_900]);
	});

	it('does not wait for a clock that was set back', async () => {
		const { passOn, bodies } = relayTo(() => waiting());
		passOn('w', 'r1');
		await pass(SECOND);
		jest.setSystemTime(NOW - 60 * MINUTE);
		passOn('w', 'r2');
		await pass(2 * SECOND);
		expect(bodies()).toEqual(['r1', 'r2']);
	});

	it('is logged at debug only where its wait is over', async () => {
		const { passOn, log } = relayTo(() => FINISHED);
		const dropped =
			'Yuntongxun: 1 call result(s) for waiting execution 7 were dropped: the execution has finished';
		passOn('w', 'r');
		await pass(SECOND);
		passOn('w', 'r');
		passOn('another', 'r');
		await pass(SECOND);
		expect(log).toEqual([dropped, `debug: ${dropped}`, dropped]);
	});
});

describe('Where something on the way answers 413', () => {
	/** Lets only requests of so many results through, one of which may be too large itself. */
	const narrow = (most: number, large = '') =>
		relayTo(({ bodies, at }) => {
			const isTooLarge = bodies.length > most || bodies.includes(large);
			if (isTooLarge) return failed(413);
			return at >= 5 * MINUTE || bodies.includes('last') ? TAKEN : waiting(5 * MINUTE - at);
		});
	/** The first goes alone, the others with the next request. */
	const passAll = async ({ passOn }: ReturnType<typeof narrow>, results: string[]) => {
		for (const each of results) passOn('w', each);
		await pass(30 * SECOND);
	};

	it('requests are halved until they get through, and stay as small', async () => {
		const to = narrow(2);
		await passAll(to, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'last']);
		const sizes = to.posts.map((post) => post.bodies.length);
		expect(sizes).toEqual([1, 9, 4, 2, 2, 2, 2, 1]);
	});

	it('other failures leave a request as large as it is', async () => {
		const { passOn, bodies } = relayTo((_posted, nth) => (nth <= 2 ? failed(502) : TAKEN));
		passOn('w', 'a');
		passOn('w', 'b');
		await pass(SECOND);
		expect(bodies()).toEqual(['a', 'a b', 'a b']);
	});

	it('a result that is too large alone is dropped, and the others go on', async () => {
		const to = narrow(9, 'large');
		await passAll(to, ['large', 'a', 'b', 'last']);
		expect(to.bodies()).toEqual(['large', 'a b last']);
		expect(to.log).toEqual([expect.stringMatching(/1 call .* were dropped: HTTP 413$/)]);
	});

	it('the wait is ended at the limit all the same', async () => {
		const to = narrow(9, 'large');
		to.park('w', 5 * MINUTE);
		await passAll(to, ['large']);
		await pass(6 * MINUTE);
		expect(to.posts).toEqual([
			{ waitId: 'w', bodies: ['large'], at: 0 },
			{ waitId: 'w', bodies: [], at: 5 * MINUTE },
		]);
	});
});

describe('With no wait left', () => {
	it('no context is held, which would pin its execution in memory', async () => {
		const { relay, passOn, park } = relayTo(() => TAKEN);
		park('v', 10 * SECOND);
		passOn('w', 'r');
		expect(relay).toMatchObject({ sender: expect.any(Object) as object });
		await pass(60 * SECOND);
		expect(relay).toMatchObject({ sender: undefined });
	});
});

describe('At most four requests are under way', () => {
	it('all of them may be first attempts', async () => {
		const { hold, release } = held();
		const { passOn, posts } = relayTo(async () => await hold(TAKEN));
		for (let wait = 0; wait < 6; wait += 1) passOn(`w${wait}`, 'r');
		await pass(0);
		expect(posts.map(({ waitId }) => waitId)).toEqual(['w0', 'w1', 'w2', 'w3']);
		await release();
		expect(posts.map(({ waitId }) => waitId)).toEqual(['w0', 'w1', 'w2', 'w3', 'w4']);
	});

	it('an answer costs a look or two at the waits, and a turn without a free place none', async () => {
		const { hold, release } = held();
		const { passOn } = relayTo(async () => await hold(TAKEN));
		const count = 2000;
		for (let wait = 0; wait < count; wait += 1) passOn(`w${wait}`, 'r');
		const looked = jest.spyOn(Map.prototype, 'values');
		const countLooks = () => {
			const maps = looked.mock.contexts as Array<Map<string, unknown>>;
			return maps.filter(({ size }) => size >= count - 1).length;
		};
		await pass(SECOND);
		const looksWhileFull = countLooks();
		await release();
		const looksForOne = countLooks() - looksWhileFull;
		looked.mockRestore();
		expect(looksWhileFull).toBe(0);
		expect(looksForOne).toBe(1);
	});

	it('three of them are repeated ones, so that a first one finds its place', async () => {
		const { hold } = held();
		let isHeld = false;
		const { passOn, posts } = relayTo(async () => (isHeld ? await hold(TAKEN) : RUNNING));
		for (let wait = 0; wait < 5; wait += 1) passOn(`w${wait}`, 'r');
		await pass(0);
		isHeld = true;
		await pass(400);
		expect(posts).toHaveLength(5 + 3);
		passOn('new', 'r');
		await pass(0);
		expect(posts.at(-1)?.waitId).toBe('new');
		passOn('newer', 'r');
		await pass(0);
		expect(posts).toHaveLength(5 + 4);
	});
});

describe('An execution that this process parks', () => {
	it.each<[string, () => Promise<Answer>]>([
		['silence', silence],
		['another page', async () => failed(502)],
	])('gets its results after hours of %s, until its limit passes', async (_, outage) => {
		let isOut = true;
		const { passOn, park, bodies, settled } = relayTo(async () => (isOut ? await outage() : TAKEN));
		passOn('w', 'r');
		park('w', 3 * 60 * MINUTE);
		await pass(2 * 60 * MINUTE);
		expect(settled()).toBe(0);
		isOut = false;
		await pass(MINUTE);
		expect([bodies().at(-1), settled()]).toEqual(['r', 1]);
	});

	it('is ended at its limit, where what came for it was dropped', async () => {
		const { passOn, park, posts, settled, log } = relayTo(({ at }) =>
			at < 9 * MINUTE ? OTHER : TAKEN,
		);
		park('w', 10 * MINUTE);
		passOn('w', 'r');
		await pass(3 * MINUTE);
		expect([settled(), log.length]).toEqual([1, 2]);
		const before = posts.length;
		await pass(60 * MINUTE);
		expect(posts.slice(before)).toEqual([{ waitId: 'w', bodies: [], at: 10 * MINUTE }]);
	});

	it('gives a result that comes after a drop two minutes of its own', async () => {
		const { passOn, park, settled } = relayTo(() => OTHER);
		park('w', 60 * MINUTE);
		passOn('w', 'first');
		await pass(3 * MINUTE);
		passOn('w', 'second');
		await pass(1.5 * MINUTE);
		expect(settled()).toBe(1);
		await pass(MINUTE);
		expect(settled()).toBe(2);
	});

	it('gets what was refused before at once, and then after short pauses', async () => {
		const { passOn, park, times } = relayTo(() => failed(500));
		passOn('w', 'r');
		await pass(60 * SECOND);
		const before = times().length;
		park('w', 10 * MINUTE);
		await pass(SECOND);
		expect(times().slice(before)).toEqual([60_000, 60_300, 60_900]);
	});
});

describe('A wait whose limit passes', () => {
	it('is ended by a request without results, where this process has parked it', async () => {
		const { park, posts } = relayTo(() => TAKEN);
		park('w', 5 * MINUTE);
		await pass(5 * MINUTE - 1);
		expect(posts).toEqual([]);
		await pass(1);
		expect(posts).toEqual([{ waitId: 'w', bodies: [], at: 5 * MINUTE }]);
		await pass(DAY);
		expect(posts).toHaveLength(1);
	});

	it('is ended where this process has passed a result of it on, when the answer says', async () => {
		const { passOn, bodies, times } = relayTo(({ bodies: [first] }) =>
			first === undefined ? TAKEN : waiting(90 * SECOND),
		);
		passOn('w', 'r');
		await pass(10 * MINUTE);
		expect(bodies()).toEqual(['r', '']);
		expect(times()).toEqual([0, 90 * SECOND]);
	});

	it('is asked again when the waiting node says, where its clock is slow', async () => {
		const { park, times } = relayTo(({ at }) =>
			at < 303 * SECOND ? waiting(303 * SECOND - at) : TAKEN,
		);
		park('w', 5 * MINUTE);
		await pass(10 * MINUTE);
		expect(times()).toEqual([300 * SECOND, 303 * SECOND]);
	});

	it.each([[[]], [['r']]])('is left to n8n’s own timer 3.5 minutes later: %j', async (results) => {
		const { passOn, park, times, settled } = relayTo(() => failed(502));
		park('w', 5 * MINUTE);
		for (const each of results) passOn('w', each);
		await pass(8.5 * MINUTE - SECOND);
		expect(settled()).toBe(0);
		await pass(DAY);
		expect(settled()).toBe(results.length);
		const last = times().at(-1) ?? 0;
		expect(last).toBeGreaterThan(8 * MINUTE);
		expect(last).toBeLessThan(8.5 * MINUTE + 31 * SECOND);
		expect(times().filter((at) => at > 8.5 * MINUTE)).toHaveLength(1);
	});

	it('is not ended where this process has seen its end', async () => {
		const { passOn, park, posts } = relayTo(() => TAKEN);
		park('w', 5 * MINUTE);
		passOn('w', 'r');
		await pass(DAY);
		expect(posts).toHaveLength(1);
	});

	it('gets at once what was stuck', async () => {
		const { passOn, park, posts } = relayTo(({ at }) => (at < 5 * MINUTE ? RUNNING : TAKEN));
		park('w', 5 * MINUTE);
		passOn('w', 'r');
		await pass(6 * MINUTE);
		expect(posts.at(-1)).toEqual({ waitId: 'w', bodies: ['r'], at: 5 * MINUTE });
	});

	it('may be a month away', async () => {
		const { park, times } = relayTo(() => TAKEN);
		park('w', 30 * DAY);
		// A timer of more than 24.8 days would fire at once.
		await pass(SECOND);
		jest.setSystemTime(NOW + 30 * DAY - SECOND);
		await pass(SECOND - 1);
		expect(times()).toEqual([]);
		await pass(101);
		expect(times()).toHaveLength(1);
	});
});

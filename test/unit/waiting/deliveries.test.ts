import {
	ACKNOWLEDGED,
	addressOf,
	bodyOf,
	database,
	FINISHED,
	MINUTE,
	NOT_PARKED,
	NOW,
	pass,
	processOfN8n,
	useFakeTime,
	waitingFor,
} from '../support/relay';
import type { Answer, Delivery } from '../support/relay';

useFakeTime();

describe('results of one wait', () => {
	it('are delivered together, as soon as none is missing', async () => {
		const n8n = processOfN8n(database(), ({ calls }) =>
			calls.length === 4
				? ACKNOWLEDGED
				: waitingFor(['c1', 'c2', 'c3', 'c4'].filter((c) => !calls.includes(c))),
		);
		n8n.keep('w1', 'c1');
		await pass(500);
		for (const callSid of ['c2', 'c3', 'c4']) n8n.keep('w1', callSid);
		await pass(500);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c1', 'c2', 'c3', 'c4']]);
	});

	it('are delivered when the limit passes, whatever is missing', async () => {
		const n8n = processOfN8n(database(), () =>
			Date.now() < NOW + MINUTE ? waitingFor(['c9'], MINUTE) : ACKNOWLEDGED,
		);
		n8n.keep('w1', 'c1');
		await pass(2 * MINUTE);
		expect(n8n.delivered.at(-1)?.at).toBeGreaterThanOrEqual(MINUTE);
		expect(n8n.delivered.at(-1)?.at).toBeLessThan(MINUTE + 1000);
	});

	it('are delivered with pauses that grow, up to half a minute', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		n8n.keep('w1', 'c1');
		await pass(2000);
		// 300 ms, and a quarter more each time, seen ten times a second.
		expect(n8n.delivered.map(({ at }) => at)).toEqual([0, 300, 700, 1200, 1800]);
		await pass(10 * MINUTE);
		const times = n8n.delivered.map(({ at }) => at);
		expect(times.slice(-3).map((at, order) => at - times[times.length - 4 + order])).toEqual([
			30_000, 30_000, 30_000,
		]);
	});

	it('are delivered with pauses that grow where the clock of the waiting process runs behind', async () => {
		const n8n = processOfN8n(database(), () => waitingFor(['c9'], MINUTE));
		n8n.keep('w1', 'c1');
		await pass(MINUTE + 15_000);
		const times = n8n.delivered.map(({ at }) => at).filter((at) => at >= MINUTE);
		expect(times.length).toBeGreaterThan(5);
		expect(times.length).toBeLessThan(15);
	});

	it('are delivered at the limit, however long the pauses were until it became known', async () => {
		const limit = 10 * MINUTE;
		const isKnown = () => Date.now() >= NOW + limit - 40_000;
		const n8n = processOfN8n(database(), () =>
			isKnown() ? waitingFor(['c9'], limit) : NOT_PARKED,
		);
		n8n.keep('w1', 'c1');
		await pass(limit + 1000);
		const times = n8n.delivered.map(({ at }) => at);
		expect(times.filter((at) => at >= limit - 40_000 && at < limit)).toHaveLength(1);
		expect(times.filter((at) => at >= limit).length).toBeGreaterThan(0);
	});

	it('are dropped once n8n has answered HTTP 500 for more than a minute, as after a crash', async () => {
		const n8n = processOfN8n(database(), () => ({ statusCode: 500, body: '{"code":0}' }));
		n8n.keep('w1', 'c1');
		await pass(MINUTE);
		const before = n8n.delivered.length;
		await pass(2 * MINUTE);
		expect(n8n.delivered.length).toBeGreaterThan(before);
		expect(n8n.delivered.length).toBe(20);
		await pass(20 * MINUTE);
		expect(n8n.delivered.length).toBe(20);
	});

	it('are delivered together within two seconds, however long the pauses are by then', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		n8n.keep('w1', 'c1');
		await pass(10 * MINUTE);
		n8n.delivered.length = 0;
		// No news.
		n8n.keep('w1', 'c1');
		await pass(2500);
		for (const callSid of ['c2', 'c3', 'c4']) {
			n8n.keep('w1', callSid);
			await pass(600);
		}
		expect(n8n.delivered).toEqual([]);
		await pass(300);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1', 'c2', 'c3', 'c4']]);
	});

	it('that come while an attempt is in flight are delivered soon after it', async () => {
		const n8n = processOfN8n(database(), async () => {
			await new Promise((resolve) => {
				setTimeout(resolve, 1000);
			});
			if (n8n.delivered.at(-1)?.calls[0] === 'c3') return NOT_PARKED;
			return n8n.delivered.length > 1 ? ACKNOWLEDGED : waitingFor(['c2']);
		});
		n8n.keep('w1', 'c1');
		await pass(500);
		n8n.keep('w1', 'c2');
		await pass(1000);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c1', 'c2']]);
		await pass(2 * MINUTE);
		n8n.keep('w2', 'c3');
		// The pauses have grown to half a minute.
		await pass(10 * MINUTE);
		n8n.delivered.length = 1;
		while (n8n.delivered.length === 1) await pass(100);
		n8n.keep('w2', 'c4');
		await pass(4000);
		expect(n8n.delivered.slice(1).map(({ calls }) => calls)).toEqual([['c3'], ['c3', 'c4']]);
	});

	it('are delivered at once when n8n parks the execution and they complete its wait', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		n8n.keep('w1', 'c1');
		await pass(5 * MINUTE);
		n8n.delivered.length = 0;
		const { length } = n8n.delivered;
		n8n.park('w1', ['c1'], 20 * MINUTE);
		await pass(500);
		expect(n8n.delivered).toHaveLength(length + 2);
	});

	it('that this process waits for cost one delivery: when they are complete', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], 60 * MINUTE);
		n8n.keep('w1', 'c1');
		await pass(30 * MINUTE);
		expect(n8n.delivered).toEqual([]);
		n8n.keep('w1', 'c2');
		await pass(200);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1', 'c2']]);
	});

	it('are delivered at once with the first call that was answered, where that is enough', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], 60 * MINUTE, true);
		const body = bodyOf('c1').replace('"state":"1"', '"state":"0","duration":"9"');
		n8n.keep('w1', 'c1', addressOf('w1'), body);
		await pass(200);
		expect(n8n.delivered).toHaveLength(1);
	});

	it('are delivered at the limit; without any the wait is ended two seconds later', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.park('w1', ['c1', 'c2'], MINUTE);
		n8n.park('w2', ['c3'], MINUTE);
		n8n.keep('w1', 'c1');
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
		for (let at = 0; at < 300; at++) n8n.keep(`old${at}`, 'c1');
		await pass(200_000);
		n8n.delivered.length = 0;
		n8n.park('new', ['c1'], 10 * MINUTE);
		n8n.keep('new', 'c1');
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
			['a result that has just come', (n8n) => n8n.keep('new', 'c1')],
			['the end of a wait without results', (n8n) => n8n.park('new', ['c1'], 1000)],
		])('do not starve %s', async (_, begin) => {
			const n8n = processOfN8n(database(), slowly);
			for (let at = 0; at < 100; at++) n8n.keep(`old${at}`, 'c1');
			await pass(60_000);
			n8n.delivered.length = 0;
			begin(n8n);
			await pass(6000);
			expect(n8n.delivered.some(({ address }) => address.includes('ytWait=new'))).toBe(true);
		});

		it('have their turn, one as often as the other', async () => {
			const n8n = processOfN8n(database(), slowly);
			for (let at = 0; at < 100; at++) n8n.keep(`w${at}`, 'c1');
			await pass(20_000);
			n8n.delivered.length = 0;
			await pass(60_000);
			expect(new Set(n8n.delivered.map(({ address }) => address)).size).toBe(100);
		});
	});

	it('that come after the delivery are dropped, and no execution is loaded for them', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		expect(n8n.keep('w1', 'c1')).toBe(true);
		await pass(1000);
		expect(n8n.keep('w1', 'c1')).toBe(false);
		expect(n8n.keep('w1', 'c2')).toBe(false);
		n8n.park('w1', ['c1', 'c2'], MINUTE);
		await pass(2 * MINUTE);
		expect(n8n.delivered).toHaveLength(1);
		expect(n8n.log).toEqual([]);
	});

	it.each([
		['a second before', NOW + 1000, true],
		['the moment', NOW, false],
		['a second after', NOW - 1000, false],
	])('are kept until their address expires: %s', async (_, expiresAt, isKept) => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		expect(n8n.keep('w1', 'c1', addressOf('w1', expiresAt))).toBe(isKept);
		await pass(500);
		expect(n8n.delivered).toHaveLength(isKept ? 1 : 0);
	});

	it('take room once, however often the service sends them', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const userData = 'x'.repeat(250_000);
		const body = JSON.stringify({ callSid: 'c1', action: 'SellingCall', userData });
		// 32 MB hold 134 of them.
		for (let times = 0; times < 150; times++) n8n.keep('w1', 'c1', addressOf('w1'), body);
		expect(n8n.hasRoom()).toBe(true);
		for (let wait = 2; wait <= 150; wait++) n8n.keep(`w${wait}`, 'c1', addressOf(`w${wait}`), body);
		expect(n8n.hasRoom()).toBe(false);
	});

	it('of two waits of one execution are kept apart', async () => {
		const n8n = processOfN8n(database(), () => ACKNOWLEDGED);
		n8n.keep('w1', 'c1');
		n8n.keep('w2', 'c2');
		await pass(1000);
		expect(n8n.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c2']]);
	});

	it('are delivered at the address that expires last', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const later = addressOf('w1', NOW + 90 * MINUTE);
		n8n.keep('w1', 'c1');
		n8n.keep('w1', 'c2', later);
		n8n.keep('w1', 'c3', addressOf('w1', NOW + 70 * MINUTE));
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
			n8n.keep('w1', callSid);
			await pass(5000);
		}
		expect([n8n.delivered.length, at.most]).toEqual([1, 1]);
	});

	it('runs beside three others, and a fourth one if it brings news', async () => {
		const { n8n, at } = slowProcess(NOT_PARKED, 3000);
		for (let wait = 0; wait < 12; wait++) n8n.keep(`w${wait}`, 'c1');
		await pass(1000);
		expect(at.most).toBe(4);
		await pass(30_000);
		at.most = 0;
		await pass(30_000);
		expect(at.most).toBe(3);
		n8n.keep('new', 'c1');
		await pass(100);
		expect(at.most).toBe(4);
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
		n8n.keep('w1', 'c1');
		await pass(5 * MINUTE);
		expect(n8n.delivered.length > 1).toBe(isRepeated);
	});

	it('is given up after eight times in a row without an answer in time', async () => {
		const n8n = processOfN8n(database(), async () => await later(new Error('timeout'), 20_000));
		n8n.keep('w1', 'c1');
		await pass(50 * MINUTE);
		expect(n8n.delivered).toHaveLength(8);
		expect(n8n.log.at(-1)).toContain('n8n has not taken it in time');
	});

	it('is not given up while results still come', async () => {
		const n8n = processOfN8n(database(), async () => await later(new Error('timeout'), 20_000));
		for (const callSid of ['c1', 'c2', 'c3']) {
			n8n.keep('w1', callSid);
			await pass(2 * MINUTE);
		}
		expect(n8n.delivered.length).toBeGreaterThan(8);
	});

	it('is given up three minutes after the limit of the wait, and not before', async () => {
		const n8n = processOfN8n(database(), async () => await later(new Error('timeout'), 20_000));
		n8n.park('w1', ['c1'], 20 * MINUTE);
		n8n.keep('w1', 'c1');
		await pass(19 * MINUTE);
		expect(n8n.delivered.length).toBeGreaterThan(20);
		await pass(3.9 * MINUTE);
		expect(n8n.log).toEqual([expect.stringContaining('n8n does not answer in time')]);
		await pass(MINUTE);
		expect(n8n.log.at(-1)).toContain('n8n has not taken it in time');
		const { length } = n8n.delivered;
		await pass(10 * MINUTE);
		expect(n8n.delivered).toHaveLength(length);
	});

	it('does not flood n8n where everything was delivered and the execution still waits', async () => {
		const n8n = processOfN8n(database(), () => waitingFor(['c1']));
		n8n.keep('w1', 'c1');
		await pass(10_000);
		expect(n8n.delivered.map(({ at }) => at).slice(0, 4)).toEqual([0, 300, 700, 1200]);
		expect(n8n.delivered.length).toBeLessThan(12);
	});

	it('whose answer is cut off is made again, and holds up no other', async () => {
		const { body } = waitingFor(['c9']);
		const cutOff = { statusCode: 200, body: body.slice(0, -5) };
		const n8n = processOfN8n(database(), ({ address }) =>
			address.includes('ytWait=new') ? ACKNOWLEDGED : cutOff,
		);
		for (let at = 0; at < 4; at++) n8n.keep(`old${at}`, 'c1');
		await pass(MINUTE);
		expect(n8n.delivered.length).toBeGreaterThan(8);
		n8n.keep('new', 'c1');
		await pass(MINUTE);
		expect(n8n.delivered.some(({ address }) => address.includes('ytWait=new'))).toBe(true);
	});

	it('of more than 900 KB comes in parts, and says when more follows', async () => {
		const n8n = processOfN8n(database(), ({ more }) => (more ? waitingFor(['c9']) : ACKNOWLEDGED));
		const calls = Array.from({ length: 12 }, (_, at) => `c${at}`);
		n8n.park('w1', calls, MINUTE);
		for (const callSid of calls) {
			const long = { callSid, action: 'SellingCall', state: '1', userData: 'x'.repeat(200_000) };
			n8n.keep('w1', callSid, addressOf('w1'), JSON.stringify(long));
		}
		await pass(1000);
		expect(n8n.delivered.map((each) => [each.calls, each.more])).toEqual([
			[calls.slice(0, 4), true],
			[calls.slice(4, 8), true],
			[calls.slice(8), false],
		]);
	});
});

it('A delivery in parts ends with the part that n8n does not take, and begins again', async () => {
	const n8n = processOfN8n(database(), () => NOT_PARKED);
	for (const callSid of ['c1', 'c2', 'c3', 'c4', 'c5']) {
		const long = { callSid, action: 'SellingCall', userData: 'x'.repeat(200_000) };
		n8n.keep('w1', callSid, addressOf('w1'), JSON.stringify(long));
	}
	await pass(1000);
	expect(n8n.delivered.length).toBeGreaterThan(1);
	const parts = new Set(n8n.delivered.map(({ calls }) => calls.join(' ')));
	expect([...parts]).toEqual(['c1 c2 c3 c4']);
});

describe('a wait that n8n shows the wait before of', () => {
	const OTHER = { statusCode: 200, body: '{"wait":"other"}' };

	it('is delivered again while n8n may still be parking it', async () => {
		const n8n = processOfN8n(database(), () => (n8n.delivered.length === 1 ? OTHER : ACKNOWLEDGED));
		n8n.keep('w1', 'c1');
		n8n.park('w1', ['c1'], 10 * MINUTE);
		await pass(MINUTE);
		expect(n8n.delivered.length).toBe(2);
	});

	it('is over half a minute later, or if this process has not parked it', async () => {
		const n8n = processOfN8n(database(), () => OTHER);
		n8n.keep('w1', 'c1');
		await pass(10 * MINUTE);
		expect(n8n.delivered).toHaveLength(1);
		n8n.park('w2', ['c1'], 20 * MINUTE);
		await pass(MINUTE);
		n8n.keep('w2', 'c1');
		await pass(10 * MINUTE);
		expect(n8n.delivered).toHaveLength(2);
	});
});

describe('the log', () => {
	const NO_NUMBERS = /1380000/;

	it.each<[string, Answer, string]>([
		['warn: ', { statusCode: 401, body: '{"error":"Invalid token"}' }, 'n8n refused it'],
		['warn: ', { statusCode: 403, body: '<html>' }, 'gets an unexpected answer at its own public'],
		[
			'warn: ',
			{ statusCode: 413, body: 'Too Large' },
			'gets an unexpected answer at its own public',
		],
		['warn: ', new Error('connect ECONNREFUSED'), 'gets no answer at its own public address'],
	])('says once %s%j: %s', async (level, answer, words) => {
		const n8n = processOfN8n(database(), () => answer);
		n8n.keep('w1', 'c1');
		await pass(MINUTE);
		expect(n8n.log).toEqual([expect.stringContaining(words)]);
		expect(n8n.log[0].startsWith(`${level}Yuntongxun: a call result of execution 7 `)).toBe(true);
		expect(n8n.log[0]).toContain('c1');
		expect(n8n.log[0]).not.toMatch(NO_NUMBERS);
		expect(n8n.log[0]).not.toContain('ytSignature');
	});

	it('says no more once n8n answers again', async () => {
		const n8n = processOfN8n(database(), () =>
			n8n.delivered.length < 3 ? new Error('connect ECONNREFUSED') : NOT_PARKED,
		);
		n8n.keep('w1', 'c1');
		await pass(MINUTE);
		expect(n8n.delivered.length).toBeGreaterThan(3);
		expect(n8n.log).toEqual([expect.stringContaining('gets no answer at its own public address')]);
	});

	it('says what could not be delivered before its address expired', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		n8n.keep('w1', 'c1', addressOf('w1', NOW + MINUTE));
		await pass(2 * MINUTE);
		expect(n8n.log).toEqual([expect.stringContaining('n8n has not taken it in time')]);
		const { length } = n8n.delivered;
		await pass(MINUTE);
		expect(n8n.delivered).toHaveLength(length);
	});

	it('names execution and calls, and nothing else of them', async () => {
		const n8n = processOfN8n(database(), () => ({
			statusCode: 401,
			body: '{"error":"Invalid token"}',
		}));
		n8n.keep('w1', 'c1', addressOf('w1').replace('/7/', '/1234/'));
		await pass(MINUTE);
		expect(n8n.log).toEqual([
			"warn: Yuntongxun: a call result of execution 1234 could not be delivered: n8n refused it. Has the account's token changed? (HTTP 401, voiceNotification c1)",
		]);
	});

	it.each([ACKNOWLEDGED, FINISHED])(
		'says nothing of a result that is answered %j',
		async (answer) => {
			const n8n = processOfN8n(database(), () => answer);
			n8n.keep('w1', 'c1');
			await pass(MINUTE);
			expect(n8n.log).toEqual([]);
		},
	);
});

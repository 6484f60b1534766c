import fc from 'fast-check';
import type { IWebhookFunctions } from 'n8n-workflow';

import {
	ACKNOWLEDGED,
	addressOf,
	database,
	MINUTE,
	NOT_PARKED,
	NOW,
	pass,
	processOfN8n,
	storedCalls,
	unsealStored,
	useFakeTime,
	type Answer,
} from '../support/relay';

useFakeTime();

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

	it('is written by the first of two deliveries, and the second one writes nothing', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const [first, second] = [n8n.delivery(), n8n.delivery()];
		expect(await n8n.takeIn(first.context, 'c1')).toBe('taken');
		const taking = n8n.takeIn(second.context, 'c2');
		await pass(0);
		first.save();
		expect(await taking).toBe('taken');
		expect(second.data).toEqual({});
	});

	it('is written by another delivery if the caller of the first one leaves', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		const first = n8n.delivery();
		await n8n.takeIn(first.context, 'c1');
		const second = n8n.take('w1', 'c2');
		await pass(0);
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

	it('is stored until the address expires that came last, with a repeated result, too', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		const minutes = [
			{ address: 60, stored: 60 },
			{ address: 90, stored: 90 },
			{ address: 70, stored: 90 },
		];
		for (const { address, stored } of minutes) {
			await n8n.take('w1', 'c1', addressOf('w1', NOW + address * MINUTE));
			const { yuntongxunResults } = JSON.parse(db.text) as { yuntongxunResults: unknown };
			expect(yuntongxunResults).toEqual([
				{ expiresAt: NOW + stored * MINUTE, sealed: expect.any(String) as string },
			]);
		}
	});

	it('is stored beside those of other triggers of the workflow', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		await n8n.take('w1', 'c1');
		await n8n.take('w2', 'c2', addressOf('w2'), { trigger: 't2' });
		expect(storedCalls(db)).toEqual(['c1', 'c2']);
	});

	it('takes at most 200 bytes', async () => {
		const db = database();
		const n8n = processOfN8n(db, () => NOT_PARKED);
		for (let at = 0; at < 500; at++) {
			await n8n.take('w1', `202601020930001234560001000${String(at).padStart(5, '0')}`);
		}
		expect(db.text.length / 500).toBeLessThan(200);
	});
});

describe('a result that is not taken', () => {
	it('is over if its address has expired', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const { context, data } = n8n.delivery();
		expect(await n8n.takeIn(context, 'c1', addressOf('w1', NOW))).toBe('over');
		expect(data).toEqual({});
	});

	it('is for the service to send again if the credential cannot be read', async () => {
		const n8n = processOfN8n(database(), () => NOT_PARKED);
		const { context } = n8n.delivery();
		context.getCredentials = async () => {
			throw new Error('The database is away');
		};
		expect(await n8n.takeIn(context, 'c1')).toBe('unavailable');
		await pass(10_000);
		expect(n8n.delivered).toEqual([]);
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
		db.text = stored;
		two.delivered.length = 0;
		await two.take('w4', 'c5');
		await pass(10_000);
		expect(two.delivered.map(({ calls }) => calls)).toEqual([['c5']]);
		expect(two.log.filter((line) => line.includes('has not taken it in time'))).toHaveLength(1);
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

	const LATER = NOW + 60 * MINUTE;

	it.each([
		'',
		'null',
		'"rubbish"',
		'7',
		'[7]',
		`[{"expiresAt":${LATER}}]`,
		`[{"expiresAt":${LATER},"sealed":7}]`,
		`[{"expiresAt":"${LATER}","sealed":"x"}]`,
	])('a database that holds %j is as good as an empty one', async (text) => {
		const db = { text: text && `{"yuntongxunResults":${text}}` };
		db.text ||= '{}';
		const n8n = processOfN8n(db, () => ACKNOWLEDGED);
		await n8n.take('w1', 'c1');
		await pass(1000);
		expect(n8n.delivered).toHaveLength(1);
		expect(n8n.log).toEqual([]);
	});

	it('what another account stored is kept for it until it expires, and said in the log', async () => {
		const db = { text: '{}' };
		const entry = { expiresAt: NOW + 60 * MINUTE, sealed: Buffer.alloc(80).toString('base64') };
		const gone = { ...entry, expiresAt: NOW - 1 };
		db.text = JSON.stringify({ yuntongxunResults: [entry, gone] });
		const n8n = processOfN8n(db, () => NOT_PARKED);
		await n8n.take('w1', 'c1');
		const { yuntongxunResults: stored } = JSON.parse(db.text) as { yuntongxunResults: unknown[] };
		expect(stored).toEqual([entry, expect.anything()]);
		expect(n8n.log).toEqual([
			expect.stringMatching(/stored call results could not be read.*token/) as string,
		]);
	});

	it('what several accounts stored is delivered once a trigger of each has opened it, with one word in the log', async () => {
		const db = database();
		const before = processOfN8n(db, () => NOT_PARKED);
		before.tokens.t2 = 'another-token';
		await before.take('w1', 'c1');
		await before.take('w2', 'c2', addressOf('w2'), { trigger: 't2' });
		const after = processOfN8n(db, () => ACKNOWLEDGED);
		after.tokens.t2 = 'another-token';
		await Promise.all([after.open('t1'), after.open('t1'), after.open('t2')]);
		await after.open('t3');
		await pass(10_000);
		expect(after.delivered.map(({ calls }) => calls)).toEqual([['c1'], ['c2']]);
		expect(after.log).toEqual([expect.stringContaining('Another trigger of this workflow may')]);
	});

	it('what no trigger can read is said once, however many there are', async () => {
		const db = database();
		await processOfN8n(db, () => NOT_PARKED).take('w1', 'c1');
		const after = processOfN8n(db, () => ACKNOWLEDGED);
		Object.assign(after.tokens, { t1: 'another-token', t2: 'a-third-token' });
		for (const trigger of ['t1', 't2']) await after.open(trigger);
		expect(after.log).toHaveLength(1);
	});

	it('what could not be read is delivered once the token is right again, without a restart', async () => {
		const db = database();
		await processOfN8n(db, () => NOT_PARKED).take('w1', 'c1');
		const after = processOfN8n(db, () => ACKNOWLEDGED);
		after.tokens.t1 = 'a token with a typing error';
		await after.open();
		await pass(20_000);
		expect(after.delivered).toEqual([]);
		delete after.tokens.t1;
		await after.open();
		await pass(10_000);
		expect(after.delivered.map(({ calls }) => calls)).toEqual([['c1']]);
	});

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

	it('results that another process overwrote are written again with the next one', async () => {
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

it('results are encrypted in the database, so that an export shows no number and no user data', async () => {
	const db = database();
	const n8n = processOfN8n(db, () => NOT_PARKED);
	const result = {
		action: 'SellingCall',
		callSid: 'c1',
		number: '13800000000',
		userData: 'Ann, 42',
	};
	await n8n.take('w1', 'c1', addressOf('w1'), { body: JSON.stringify(result) });
	expect(db.text).not.toMatch(/13800000000|Ann, 42|ytSignature/);
	expect(storedCalls(db)).toEqual(['c1']);
	const [{ sealed }] = (JSON.parse(db.text) as { yuntongxunResults: Array<{ sealed: string }> })
		.yuntongxunResults;
	expect(() => unsealStored(sealed, 'another token')).toThrow();
});

it('a result that n8n could not save is logged, and written with the next answer', async () => {
	const db = database();
	const n8n = processOfN8n(db, () => NOT_PARKED);
	const [first, second] = [n8n.delivery(), n8n.delivery()];
	await n8n.takeIn(first.context, 'c1');
	const taking = n8n.takeIn(second.context, 'c2');
	await pass(0);
	// n8n answers 200 all the same, and leaves its flag.
	first.save(true);
	expect(await taking).toBe('taken');
	second.save();
	expect(storedCalls(db)).toEqual(['c1', 'c2']);
	expect(n8n.log).toEqual([expect.stringMatching(/could not save call results/) as string]);
});

it('there is room for 32 MB of results, and again once some were delivered', async () => {
	let answer: Answer = NOT_PARKED;
	const n8n = processOfN8n(database(), () => answer);
	const { context, save } = n8n.delivery();
	const userData = 'x'.repeat(250_000);
	const body = JSON.stringify({ callSid: 'c1', action: 'SellingCall', userData });
	let taken = 0;
	for (; n8n.hasRoom(); taken++) {
		void n8n.takeIn(context, 'c1', addressOf(`w${taken}`), body);
		await pass(0);
	}
	expect(taken).toBe(135);
	answer = ACKNOWLEDGED;
	save();
	await pass(5000);
	expect(n8n.hasRoom()).toBe(true);
});

it('an inbox keeps no delivery waiting, whoever leaves, and in whatever order n8n answers', async () => {
	const events = fc.array(fc.record({ who: fc.nat(7), leaves: fc.boolean() }), { maxLength: 40 });
	const n8n = processOfN8n(database(), () => NOT_PARKED);
	let count = 0;
	await fc.assert(
		fc.asyncProperty(events, async (happening) => {
			const deliveries = Array.from({ length: 8 }, () => {
				const own = { ...n8n.delivery(), callSid: `c${count++}`, isTaken: false, isOver: false };
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

import { StoreFull } from '../../../nodes/Yuntongxun/execution/lastingClaims';
import {
	StoredTokenRecords,
	type NameStore,
	type TokenRecord,
} from '../../../nodes/Yuntongxun/execution/tokenRecords';

const PLACES = 3;
const token = { id: 'one', places: PLACES };

/** A store that takes its time, as a database does, and counts how often it is asked. */
class Names implements NameStore {
	readonly taken = new Set<string>();
	asked = 0;
	room = Infinity;

	async claim(name: string): Promise<boolean> {
		await this.pause();
		if (this.taken.has(name)) return false;
		if (this.taken.size >= this.room) throw new StoreFull();
		this.taken.add(name);
		return true;
	}

	async has(name: string): Promise<boolean> {
		await this.pause();
		return this.taken.has(name);
	}

	private async pause() {
		this.asked++;
		await Promise.resolve();
	}
}

let nodes = 0;
/** What a node remembers; another node unless it is named. */
const recordsOf = (names: NameStore, node = `node ${++nodes}`) =>
	new StoredTokenRecords(names, node);

/** Takes one code, and counts how often a code was compared. */
function judgeFor(typed: string) {
	const judge = ({ used, wrong }: TokenRecord) => {
		if (used) return { verdict: 'used' };
		if (wrong >= PLACES) return { verdict: 'tooMany' };
		judge.compared++;
		return typed === 'right'
			? { verdict: 'valid', record: { used: true, wrong } }
			: { verdict: `wrong ${wrong + 1}`, record: { used, wrong: wrong + 1 } };
	};
	judge.compared = 0;
	return judge;
}

const RIGHT = () => judgeFor('right');
const WRONG = () => judgeFor('other');

it('a right code is valid once', async () => {
	const records = recordsOf(new Names());
	const verdicts = [await records.judge(token, RIGHT()), await records.judge(token, RIGHT())];
	expect(verdicts).toEqual(['valid', 'used']);
});

it('two right codes at the same moment: one is valid', async () => {
	const records = recordsOf(new Names());
	const verdicts = await Promise.all([1, 2].map(async () => await records.judge(token, RIGHT())));
	expect(verdicts).toEqual(['valid', 'used']);
});

it('of 10,000 codes at the same moment as many are compared as the token permits', async () => {
	const names = new Names();
	const records = recordsOf(names);
	const guess = WRONG();
	const verdicts = await Promise.all(
		Array.from({ length: 10_000 }, async () => await records.judge(token, guess)),
	);
	expect(guess.compared).toBe(PLACES);
	expect(verdicts.slice(0, PLACES)).toEqual(['wrong 1', 'wrong 2', 'wrong 3']);
	expect(new Set(verdicts.slice(PLACES))).toEqual(new Set(['tooMany']));
	expect(await records.judge(token, RIGHT())).toBe('tooMany');
	// The process knows by itself that nothing can change any more.
	expect(names.asked).toBeLessThan(30);
	expect(names.taken.size).toBe(PLACES);
});

it('another process, and the same after a restart, know what was kept', async () => {
	const names = new Names();
	await recordsOf(names).judge(token, WRONG());
	expect(await recordsOf(names).judge(token, WRONG())).toBe('wrong 2');
	expect(await recordsOf(names).judge(token, RIGHT())).toBe('valid');
	expect(await recordsOf(names).judge(token, RIGHT())).toBe('used');
});

it('two processes at the same moment: one code is valid, each wrong code counts', async () => {
	const names = new Names();
	const [one, other] = [recordsOf(names), recordsOf(names)];
	const wrong = await Promise.all(
		[one, other].map(async (records) => await records.judge(token, WRONG())),
	);
	expect(wrong.sort()).toEqual(['wrong 1', 'wrong 2']);
	const right = await Promise.all(
		[one, other].map(async (records) => await records.judge(token, RIGHT())),
	);
	expect(right.sort()).toEqual(['used', 'valid']);
});

it('a token that permits more codes than before goes on where it was', async () => {
	const records = recordsOf(new Names());
	for (let guess = 0; guess < PLACES; guess++) await records.judge(token, WRONG());
	expect(await records.judge(token, WRONG())).toBe('tooMany');
	const more = { id: token.id, places: 5 };
	const judge = ({ wrong }: TokenRecord) => ({ verdict: wrong, record: { used: true, wrong } });
	expect(await records.judge(more, judge)).toBe(PLACES);
});

it('a full store gives no verdict on a code, and still knows what it has', async () => {
	const names = new Names();
	const records = recordsOf(names);
	await records.judge(token, RIGHT());
	names.room = 1;
	expect(await records.judge({ id: 'two', places: 3 }, RIGHT())).toBeUndefined();
	expect(await records.judge({ id: 'two', places: 3 }, WRONG())).toBeUndefined();
	expect(await records.judge(token, RIGHT())).toBe('used');
});

it('a failing store gives no verdict, and the next check is judged again', async () => {
	const names = new Names();
	const records = recordsOf(names);
	jest.spyOn(names, 'claim').mockRejectedValueOnce(new Error('database is locked'));
	await expect(records.judge(token, RIGHT())).rejects.toThrow('database is locked');
	expect(await records.judge(token, RIGHT())).toBe('valid');
});

it('tokens of 10,000 others do not make it forget a used one', async () => {
	const names = new Names();
	const records = recordsOf(names);
	await records.judge(token, RIGHT());
	for (let at = 0; at < 10_001; at++) {
		names.taken.add(`used/other ${at}`);
		await records.judge({ id: `other ${at}`, places: 1 }, RIGHT());
	}
	expect(await records.judge(token, RIGHT())).toBe('used');
});

/**
 * Runs of one node side by side, with everything that can go wrong, beside what the contract says of
 * them ("Recipients", "Failure"). What was sent is taken from the service's own diary.
 */
import fc from 'fast-check';

import type { Answer } from '../../nodes/Yuntongxun/client/request';
import { hasFailed, resetForRetry } from '../../nodes/Yuntongxun/executor/model';
import type { MessageItem } from '../../nodes/Yuntongxun/executor/model';
import { planRequests } from '../../nodes/Yuntongxun/executor/messages';
import { RateLimiter } from '../../nodes/Yuntongxun/executor/rateLimiter';
import type { ReportRow } from '../../nodes/Yuntongxun/executor/runReport';
import { sendAll } from '../../nodes/Yuntongxun/executor/send';
import { StopSignal } from '../../nodes/Yuntongxun/executor/stopSignal';
import { Reservations } from '../../nodes/Yuntongxun/idempotency/reservations';
import type { Limit } from '../../nodes/Yuntongxun/idempotency/quotas';
import type {
	Guards,
	Reservation,
	ReservedNumber,
	Skip,
} from '../../nodes/Yuntongxun/idempotency/reservations';
import { keyStore } from '../support/keyStore';
import './support/runs';
import {
	answer,
	call,
	failure,
	buildItem,
	OVERLOAD,
	showItem,
	sms,
	getTexts,
	UNKNOWN,
	WITHOUT_ID,
} from '../support/messages';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/withoutPauses'));

const PEOPLE = ['13800000001', '13800000002', '13800000003', '13800000004'];
const ENDS: Record<string, Error | undefined> = {
	accepted: undefined,
	refused: failure(),
	unknown: UNKNOWN,
	withoutId: WITHOUT_ID,
	overloaded: OVERLOAD,
};
const MAY_HAVE_REACHED = ['accepted', 'unknown', 'withoutId'];

interface PlannedItem {
	numbers: string[];
	key?: string;
	/** Whom it is for, where a limit counts that. */
	value: string;
	isCall: boolean;
}

interface PlannedRun {
	items: PlannedItem[];
	continues: boolean;
	concurrency: number;
	tries: number;
	/** The user stops it after so many requests of all runs. */
	stopsAfter?: number;
}

interface World {
	runs: PlannedRun[];
	/** How the requests end, in their order. */
	ends: string[];
	/** The limits of all items. */
	limits: Limit[];
	/** The call of n8n's database that fails, counted from 1. */
	brokenCall?: number;
}

/** A number in the service's diary. */
interface Sent {
	item: string;
	number: string;
	value: string;
	key?: string;
	end: string;
}

const item = fc.record<PlannedItem>(
	{
		numbers: fc.uniqueArray(fc.constantFrom(...PEOPLE), { minLength: 1, maxLength: 4 }),
		key: fc.constantFrom('a', 'b'),
		value: fc.constantFrom('x', 'y'),
		isCall: fc.boolean(),
	},
	{ requiredKeys: ['numbers', 'value', 'isCall'] },
);
const run = fc.record<PlannedRun>(
	{
		items: fc.array(item, { minLength: 1, maxLength: 4 }),
		continues: fc.boolean(),
		concurrency: fc.integer({ min: 1, max: 4 }),
		tries: fc.integer({ min: 1, max: 3 }),
		stopsAfter: fc.integer({ min: 0, max: 8 }),
	},
	{ requiredKeys: ['items', 'continues', 'concurrency', 'tries'] },
);
/** Up to four rules, no two of which count the same in the same time. */
const limits = fc.uniqueArray(
	fc.record<Limit>({
		by: fc.constantFrom('number', 'total', 'value'),
		max: fc.integer({ min: 1, max: 8 }),
		period: fc.constantFrom('minute', 'hour', 'day'),
	}),
	{ maxLength: 4, selector: ({ by, period }) => `${by} ${period}` },
);
const world = fc.record<World>(
	{
		runs: fc.array(run, { minLength: 3, maxLength: 3 }),
		ends: fc.array(fc.constantFrom('accepted', ...Object.keys(ENDS)), {
			minLength: 60,
			maxLength: 60,
		}),
		limits,
		brokenCall: fc.integer({ min: 1, max: 30 }),
	},
	{ requiredKeys: ['runs', 'ends', 'limits'] },
);

/** A number that may go out, from before it is asked for until certainly nobody was reached. */
interface Held {
	number: ReservedNumber;
	guards: Guards;
	from: number;
	/** Infinity for one that was reached, or may have been. */
	until: number;
}

/** Why a number was left out, and while that was decided. */
interface Statement extends Held {
	skip: Skip;
}

/**
 * Judges what reservations say: `duplicate` only of a number that its key has reached, or may have,
 * and `limit` only where as many were reached, or under way, while it was decided.
 */
function createWitness() {
	let now = 0;
	const all: Held[] = [];
	const statements: Statement[] = [];

	const isTrue = ({ skip, number, guards, from, until }: Statement) => {
		const during = all.filter((held) => held.until > from && held.from < until);
		if (skip.reason === 'duplicate') {
			return during.some(
				(each) => each.number.key === number.key && each.guards.key === guards.key,
			);
		}
		const { by, value, max } = skip.limit;
		const counted = during.filter((held) => {
			if (by === 'total') return true;
			if (by === 'number') return held.number.line === number.line;
			return held.guards.limits?.some((limit) => limit.by === 'value' && limit.value === value);
		});
		return counted.length >= max;
	};
	const watch = (reservation: Reservation, numbers: readonly ReservedNumber[], guards: Guards) => {
		const own: Held[] = [];
		const { reserve, release } = reservation;
		reservation.reserve = async () => {
			const from = ++now;
			const outcomes = await reserve.call(reservation);
			const until = ++now;
			const doubt = reservation.mayLeaveRecords;
			const said = outcomes.map((outcome, position) => ({
				number: numbers[position],
				skip: outcome.ok ? outcome.skip : undefined,
			}));
			for (const { number, skip } of said) {
				// What n8n may not have recorded, or not freed, may count as used: that is said.
				if (skip === undefined || doubt) own.push({ number, guards, from, until: Infinity });
			}
			all.push(...own);
			for (const { number, skip } of said) {
				if (skip !== undefined) statements.push({ skip, number, guards, from, until });
			}
			return outcomes;
		};
		reservation.release = async () => {
			await release.call(reservation);
			if (reservation.mayLeaveRecords) return;
			now += 1;
			for (const held of own) held.until = now;
		};
		return reservation;
	};
	return { findLies: () => statements.filter((each) => !isTrue(each)), watch };
}

/** Carries out what was planned. */
async function carryOut({ runs, ends, limits: own, brokenCall }: World) {
	const store = keyStore();
	if (brokenCall !== undefined) store.breakAt(brokenCall);
	const diary: Sent[] = [];
	const { findLies, watch } = createWitness();
	const stops = runs.map(() => new StopSignal());
	const tell = (words: string) => words.split('|');

	const send = async ({ fields }: { fields: object }): Promise<Answer> => {
		const { to, tag } = fields as { to: string; tag: string };
		const [name, value, key] = tell(tag);
		const end = ends[diary.length % ends.length];
		for (const number of to.split(',')) {
			diary.push({ item: name, number, value, key: key || undefined, end });
		}
		runs.forEach(({ stopsAfter }, position) => {
			if (stopsAfter !== undefined && diary.length > stopsAfter) stops[position].stop();
		});
		await new Promise((resolve) => setTimeout(resolve, 0));
		const error = ENDS[end];
		if (error) throw error;
		return answer(`id-${diary.length}`);
	};

	const toGuards = ({ key, value }: PlannedItem): Guards => ({
		key,
		limits: own.map((limit) => (limit.by === 'value' ? { ...limit, value } : limit)),
	});
	const create = (planned: PlannedItem, index: number, name: string): MessageItem => {
		const { numbers, isCall } = planned;
		const task = isCall ? call(numbers.slice(0, 1)) : sms(numbers, 2);
		const tagged = {
			...task,
			requestFor: (to: string[]) => {
				const request = task.requestFor(to);
				return {
					...request,
					fields: { ...request.fields, tag: `${name}|${planned.value}|${planned.key ?? ''}` },
				};
			},
		};
		return buildItem(index, tagged, toGuards(planned));
	};

	const carryOutRun = async (planned: PlannedRun, position: number) => {
		const memo = new Map<number, MessageItem>();
		let items: MessageItem[] = [];
		for (let tries = 0; tries < planned.tries; tries++) {
			items = planned.items.map((each, index) => {
				const before = memo.get(index);
				const isKept = before !== undefined && resetForRetry(before, true);
				return isKept ? before : create(each, index, `${position}.${index}`);
			});
			items.forEach((each, index) => memo.set(index, each));
			const stop = tries === 0 ? stops[position] : new StopSignal();
			const { concurrency, continues } = planned;
			const reservations = new Reservations(store.createContext());
			const requests = planRequests(items);
			await sendAll(continues || !items.some(hasFailed) ? requests : [], {
				concurrency,
				continues,
				stop,
				limiter: new RateLimiter('a node', 0, stop),
				reservations: {
					lock: async (numbers, guards) =>
						watch(await reservations.lock(numbers, guards), numbers, guards),
				},
				waiting: { recordPlacedCall: () => undefined },
				getClient: () => send,
			});
			await reservations.close();
		}
		return items.map((each) => ({ item: each, ...showItem(each) }));
	};
	const results = await Promise.all(runs.map(carryOutRun));
	return { diary, results, lies: findLies() };
}

const mayHaveReached = ({ end }: Sent) => MAY_HAVE_REACHED.includes(end);

const countBy = (all: Sent[], getName: (sent: Sent) => string) => {
	const counts = new Map<string, number>();
	for (const each of all) counts.set(getName(each), (counts.get(getName(each)) ?? 0) + 1);
	return [...counts.values()];
};

/** The numbers that are in rows of these states. */
const listed = (rows: ReportRow[], ...states: Array<ReportRow['state']>): string[] =>
	rows
		.filter(({ state }) => states.length === 0 || states.includes(state))
		.flatMap(({ to }) => String(to).split(','))
		.sort();

const most = (counts: number[]): number => Math.max(0, ...counts);

it('nobody is reached twice, no limit is passed, who is left out hears why, and one row a number says what the service saw', async () => {
	await fc.assert(
		fc.asyncProperty(world, async (planned) => {
			const { diary, results, lies } = await carryOut(planned);
			expect(lies).toEqual([]);
			const reached = diary.filter(mayHaveReached);

			const keyed = reached.filter(({ key }) => key !== undefined);
			expect(most(countBy(keyed, ({ key, number }) => `${key} ${number}`))).toBeLessThan(2);
			// Nor by the tries of one item.
			expect(most(countBy(reached, (sent) => `${sent.item} ${sent.number}`))).toBeLessThan(2);

			for (const { by, max } of planned.limits) {
				const counts = countBy(reached, (sent) => (by === 'total' ? '' : sent[by]));
				expect(most(counts)).toBeLessThanOrEqual(max);
			}

			results.forEach((items, position) => {
				for (const { item: each, rows } of items) {
					expect(listed(rows)).toEqual(getTexts(each.task).sort());
					const own = diary.filter((sent) => sent.item === `${position}.${each.index}`);
					const reachedBy = (...ends: string[]) =>
						own
							.filter(({ end }) => ends.includes(end))
							.map(({ number }) => number)
							.sort();
					expect(listed(rows, 'accepted')).toEqual(reachedBy('accepted', 'withoutId'));
					expect(listed(rows, 'unclear')).toEqual(reachedBy('unknown'));
				}
			});
		}),
	);
});

it('everybody is reached without keys, limits, failures and Stop', async () => {
	const quiet = world.map(({ runs, ends }): World => ({
		limits: [],
		ends: ends.map(() => 'accepted'),
		runs: runs.map(({ stopsAfter, items, ...each }) => {
			void stopsAfter;
			return {
				...each,
				items: items.map(({ numbers, value, isCall }) => ({ numbers, value, isCall })),
			};
		}),
	}));
	await fc.assert(
		fc.asyncProperty(quiet, async (planned) => {
			const { diary } = await carryOut(planned);
			const wanted = planned.runs
				.flatMap(({ items }) => items)
				.flatMap(({ numbers, isCall }) => (isCall ? numbers.slice(0, 1) : numbers));
			expect(diary.map(({ number }) => number).sort()).toEqual(wanted.sort());
		}),
	);
});

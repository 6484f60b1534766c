/**
 * Runs of one node side by side, with everything that can go wrong, beside what the contract says of
 * them ("Sending", "Failure and output"). What was sent is taken from the service's own diary.
 */
import fc from 'fast-check';

import type { Answer } from '../../nodes/Yuntongxun/client/request';
import { hasFailed, isPlanned } from '../../nodes/Yuntongxun/executor/model';
import type { MessageItem } from '../../nodes/Yuntongxun/executor/model';
import { Pace, StopSignal } from '../../nodes/Yuntongxun/executor/pace';
import { openRunMemo } from '../../nodes/Yuntongxun/executor/runMemo';
import { sendAll } from '../../nodes/Yuntongxun/executor/send';
import { Reservations } from '../../nodes/Yuntongxun/idempotency/reservations';
import type { Limit } from '../../nodes/Yuntongxun/idempotency/limits';
import type { Guards } from '../../nodes/Yuntongxun/idempotency/reservations';
import { buildRun, buildTry } from '../support/fakeN8n';
import { keyStore } from '../support/keyStore';
import '../support/propertyRuns';
import {
	answer,
	buildItems,
	call,
	failure,
	OVERLOAD,
	sms,
	UNKNOWN,
	WITHOUT_ID,
} from '../support/messages';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../support/withoutPauses'));

// No hour or day begins while a plan is carried out.
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-01T00:00:00Z')));

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
	tries: number;
	/** The user stops it after so many requests of all runs. */
	stopsAfter?: number;
}

interface Plan {
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
		tries: fc.integer({ min: 1, max: 3 }),
		stopsAfter: fc.integer({ min: 0, max: 8 }),
	},
	{ requiredKeys: ['items', 'continues', 'tries'] },
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
const plan = fc.record<Plan>(
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

/** Carries out what was planned. */
async function carryOut({ runs, ends, limits: own, brokenCall }: Plan) {
	const store = keyStore();
	if (brokenCall !== undefined) store.breakAt(brokenCall);
	const diary: Sent[] = [];
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
	const create = (planned: PlannedItem, index: number, name: string): MessageItem[] => {
		const { numbers, isCall } = planned;
		const message = isCall ? call(numbers.slice(0, 1)) : sms(numbers, 2);
		const tag = `${name}|${planned.value}|${planned.key ?? ''}`;
		const requestFor = (to: string[]) => {
			const { endpoint, fields } = message.requestFor(to);
			return { endpoint, fields: { ...fields, tag } };
		};
		return buildItems(index, { ...message, requestFor }, toGuards(planned));
	};

	const carryOutRun = async (planned: PlannedRun, position: number) => {
		const n8nRun = buildRun();
		const inputs = planned.items.map(() => ({}));
		let items: MessageItem[] = [];
		for (let tries = 0; tries < planned.tries; tries++) {
			const memo = openRunMemo(buildTry(n8nRun, inputs), true);
			planned.items.forEach((each, index) => {
				if (!memo.has(index)) memo.set(index, create(each, index, `${position}.${index}`));
			});
			items = planned.items.flatMap((_each, index) => memo.get(index) as MessageItem[]);
			const stop = tries === 0 ? stops[position] : new StopSignal();
			const { continues } = planned;
			const open = items.filter(isPlanned);
			await sendAll(continues || !items.some(hasFailed) ? open : [], {
				continues,
				stop,
				pace: new Pace('a node', 0, stop),
				reservations: new Reservations(store.createContext()),
				waiting: { recordPlacedCall: () => undefined },
				getClient: () => send,
			});
		}
		return items;
	};
	const results = await Promise.all(runs.map(carryOutRun));
	return { diary, results };
}

const mayHaveReached = ({ end }: Sent) => MAY_HAVE_REACHED.includes(end);

const countBy = (all: Sent[], getName: (sent: Sent) => string) => {
	const counts = new Map<string, number>();
	for (const each of all) counts.set(getName(each), (counts.get(getName(each)) ?? 0) + 1);
	return [...counts.values()];
};

/** The numbers of an item with what its status says of them; none if nothing of it went out. */
function listReached({ status, recipients }: MessageItem): Array<[number: string, end: string]> {
	switch (status.state) {
		case 'planned':
			return [];
		case 'done': {
			const numbers = status.reached > 0 ? String(status.jsons[0].to).split(',') : [];
			expect(numbers).toHaveLength(status.reached);
			return numbers.map((number) => [number, 'accepted']);
		}
		case 'failed': {
			if (status.accepted === 'no') return [];
			const leftOut = (status.members?.leftOut ?? []) as Array<{ to: string }>;
			const left = recipients.filter(({ text }) => !leftOut.some(({ to }) => to === text));
			const end = status.accepted === 'yes' ? 'withoutId' : 'unknown';
			return left.map(({ text }) => [text, end]);
		}
	}
}

const most = (counts: number[]): number => Math.max(0, ...counts);

it('nobody is reached twice, no limit is passed, and each status says what the service saw', async () => {
	await fc.assert(
		fc.asyncProperty(plan, async (planned) => {
			const { diary, results } = await carryOut(planned);
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
				const said = items.flatMap((each) =>
					listReached(each).map((about) => [`${position}.${each.index}`, ...about].join()),
				);
				const own = reached.filter((sent) => sent.item.startsWith(`${position}.`));
				expect(said.sort()).toEqual(
					own.map((sent) => [sent.item, sent.number, sent.end].join()).sort(),
				);
			});
		}),
	);
});

it('everybody is reached without keys, limits, failures and Stop', async () => {
	const quiet = plan.map(({ runs, ends }): Plan => ({
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

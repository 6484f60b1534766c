import fc from 'fast-check';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import type * as Duplicates from '../../../nodes/Yuntongxun/trigger/deduplication';
import { nodeOf } from '../support/executeData';

type IsDuplicate = (context: IWebhookFunctions, event: CallEvent, now: number) => boolean;

const NOW = Date.UTC(2026, 0, 1);
const DAY = 24 * 60 * 60 * 1000;

/**
 * What asks one process of n8n, which has a memory of its own, at a moment, and has it write what
 * it has seen.
 */
function processOfN8n(): IsDuplicate & Pick<typeof Duplicates, 'forgetDuplicate'> {
	const loaded: { module?: typeof Duplicates } = {};
	jest.isolateModules(() => {
		// Jest sees which module a test belongs to only where the call has no type argument.
		loaded.module = jest.requireActual(
			'../../../nodes/Yuntongxun/trigger/deduplication',
		) as typeof Duplicates;
	});
	if (!loaded.module) throw new Error('The module was not loaded');
	const { isDuplicate, forgetDuplicate, writeDuplicates } = loaded.module;
	const ask: IsDuplicate = (context, event, now) => {
		jest.setSystemTime(now);
		const isCopy = isDuplicate(context, event);
		if (!isCopy) writeDuplicates(context);
		return isCopy;
	};
	return Object.assign(ask, { forgetDuplicate });
}

/** A trigger, and what n8n has stored for it. */
function triggerOf(staticData: IDataObject, workflow = 'w1', id = 't1'): IWebhookFunctions {
	const context: Pick<IWebhookFunctions, 'getNode' | 'getWorkflow' | 'getWorkflowStaticData'> = {
		getNode: () => nodeOf({ id }),
		getWorkflow: () => ({ id: workflow, active: true }),
		getWorkflowStaticData: (type) => (type === 'global' ? staticData : {}),
	};
	return context as IWebhookFunctions;
}

/** What a further process or a later start reads of what was stored. */
const stored = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data)) as IDataObject;

/** Characters that one remembered result takes in the store. */
const RECORD = 21;
const recordsIn = (data: IDataObject): number =>
	String((stored(data).yuntongxunSeen as IDataObject)['w1/t1']).length / RECORD;

const result = (callSid: string, action = 'SellingCall') => ({ action, callSid }) as CallEvent;

beforeEach(() => {
	jest.useFakeTimers({ now: NOW });
});
afterEach(() => {
	jest.useRealTimers();
});

it('of ten copies at the same moment one is the first', () => {
	const isDuplicate = processOfN8n();
	// n8n reads the stored data anew for each of them, before any of it was written.
	const copies = Array.from({ length: 10 }, () => isDuplicate(triggerOf({}), result('c1'), NOW));
	expect(copies.filter((isCopy) => !isCopy)).toHaveLength(1);
});

it('another call, another action, another trigger and another workflow are no copies', () => {
	const isDuplicate = processOfN8n();
	expect(isDuplicate(triggerOf({}), result('c1'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('c2'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('c1', 'VoiceCode'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}, 'w1', 't2'), result('c1'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}, 'w2', 't1'), result('c1'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('c1'), NOW)).toBe(true);
});

it('no two identities are taken for one because of where one part ends', () => {
	const isDuplicate = processOfN8n();
	expect(isDuplicate(triggerOf({}), result('bc', 'a'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('c', 'ab'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('c', 'a","b'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf({}), result('b","c', 'a'), NOW)).toBe(false);
});

it('is forgotten, even where an older text is read afterwards', () => {
	const isDuplicate = processOfN8n();
	const [first, second]: IDataObject[] = [{}, {}];
	isDuplicate(triggerOf(first), result('c1'), NOW);
	const older = stored(first);
	isDuplicate(triggerOf(second), result('c2'), NOW);
	stored(second);
	isDuplicate.forgetDuplicate(triggerOf({}), result('c1'));
	expect(isDuplicate(triggerOf(older), result('c3'), NOW)).toBe(false);
	expect(isDuplicate(triggerOf(older), result('c1'), NOW + 1)).toBe(false);
	expect(isDuplicate(triggerOf(older), result('c1'), NOW + 2)).toBe(true);
});

it('is remembered for 24 hours', () => {
	const isDuplicate = processOfN8n();
	const trigger = triggerOf({});
	expect(isDuplicate(trigger, result('c1'), NOW)).toBe(false);
	expect(isDuplicate(trigger, result('c1'), NOW + DAY - 1)).toBe(true);
	expect(isDuplicate(trigger, result('c1'), NOW + DAY)).toBe(false);
	expect(isDuplicate(trigger, result('c1'), NOW + DAY + 1)).toBe(true);
});

it('is stored no longer than it is remembered', () => {
	const isDuplicate = processOfN8n();
	const data: IDataObject = {};
	for (const call of ['c1', 'c2', 'c3']) isDuplicate(triggerOf(data), result(call), NOW);
	expect(recordsIn(data)).toBe(3);
	isDuplicate(triggerOf(data), result('c4'), NOW + DAY);
	expect(recordsIn(data)).toBe(1);
});

it('the last 5,000 are remembered, and no more are stored, even where an older text is read', () => {
	const isDuplicate = processOfN8n();
	const data: IDataObject = {};
	let older = data;
	for (let at = 0; at <= 5000; at++) {
		if (at === 5000) older = stored(data);
		expect(isDuplicate(triggerOf(data), result(`c${at}`), NOW + at)).toBe(false);
	}
	expect(recordsIn(data)).toBe(5000);
	expect(isDuplicate(triggerOf(older), result('c5000'), NOW + 6000)).toBe(true);
	expect(isDuplicate(triggerOf(older), result('c1'), NOW + 6000)).toBe(true);
	expect(isDuplicate(triggerOf(older), result('c0'), NOW + 6000)).toBe(false);
});

it('is remembered by a process that starts later', () => {
	const data: IDataObject = {};
	const earlier = processOfN8n();
	for (const call of ['c1', 'c2', 'c3']) earlier(triggerOf(data), result(call), NOW);
	const later = processOfN8n();
	const afterwards = stored(data);
	expect(later(triggerOf(afterwards), result('c4'), NOW + 1000)).toBe(false);
	for (const call of ['c1', 'c2', 'c3', 'c4']) {
		expect(later(triggerOf(afterwards), result(call), NOW + 1000)).toBe(true);
	}
	expect(later(triggerOf(afterwards), result('c1'), NOW + DAY)).toBe(false);
});

it('what two processes have seen in turn is remembered by both', () => {
	const [one, two] = [processOfN8n(), processOfN8n()];
	let data: IDataObject = {};
	/** n8n reads what is stored, asks, and stores what came of it. */
	const asks = (isDuplicate: IsDuplicate, call: string): boolean => {
		data = stored(data);
		return isDuplicate(triggerOf(data), result(call), NOW);
	};
	expect(asks(one, 'c1')).toBe(false);
	expect(asks(two, 'c2')).toBe(false);
	expect(asks(one, 'c3')).toBe(false);
	for (const isDuplicate of [one, two]) {
		for (const call of ['c1', 'c2', 'c3'])
			expect([call, asks(isDuplicate, call)]).toEqual([call, true]);
	}
});

it('what another process has just seen is remembered by one that is full of older results', () => {
	const [ask, other] = [processOfN8n(), processOfN8n()];
	let data: IDataObject = {};
	for (let at = 0; at < 5000; at++) ask(triggerOf(data), result(`old-${at}`), NOW);
	data = stored(data);
	expect(other(triggerOf(data), result('c1'), NOW + DAY / 2)).toBe(false);
	data = stored(data);
	expect(ask(triggerOf(data), result('c1'), NOW + DAY / 2 + 60_000)).toBe(true);
	expect(ask(triggerOf(data), result('old-4999'), NOW + DAY / 2 + 60_000)).toBe(true);
});

it('what another process has seen at one trigger is kept when another trigger sees something', () => {
	const [one, two] = [processOfN8n(), processOfN8n()];
	const data: IDataObject = {};
	expect(one(triggerOf(data), result('c1'), NOW)).toBe(false);
	const after = stored(data);
	expect(two(triggerOf(after), result('c2'), NOW)).toBe(false);
	const last = stored(after);
	expect(one(triggerOf(last, 'w1', 't2'), result('c3'), NOW)).toBe(false);
	expect(one(triggerOf(stored(last)), result('c2'), NOW)).toBe(true);
});

it('what one process overwrote of another is remembered by the one that saw it', () => {
	const [one, two] = [processOfN8n(), processOfN8n()];
	const [ofOne, ofTwo]: IDataObject[] = [{}, {}];
	expect(one(triggerOf(ofOne), result('c1'), NOW)).toBe(false);
	expect(two(triggerOf(ofTwo), result('c2'), NOW)).toBe(false);
	// The second one wrote last: what the first one had seen is not in the store.
	const data = stored(ofTwo);
	expect(one(triggerOf(data), result('c3'), NOW)).toBe(false);
	const merged = stored(data);
	for (const call of ['c1', 'c2', 'c3']) {
		expect([call, two(triggerOf(merged), result(call), NOW)]).toEqual([call, true]);
	}
});

it('what two processes wrote over each other comes back with the next write of each', () => {
	const [one, two] = [processOfN8n(), processOfN8n()];
	let data = stored({});
	const [ofOne, ofTwo] = [stored(data), stored(data)];
	one(triggerOf(ofOne), result('c1'), NOW);
	two(triggerOf(ofTwo), result('c2'), NOW);
	// Both had read the same, and the first one writes last: c2 is lost.
	data = stored(ofOne);
	two(triggerOf(data), result('c3'), NOW);
	data = stored(data);
	one(triggerOf(data), result('c4'), NOW);
	data = stored(data);
	const later = processOfN8n();
	for (const call of ['c1', 'c2', 'c3', 'c4']) {
		expect([call, later(triggerOf(data), result(call), NOW)]).toEqual([call, true]);
	}
});

it('a delivery that n8n saves late writes what has come meanwhile, too', () => {
	const isDuplicate = processOfN8n();
	const [slow, quick]: IDataObject[] = [{}, {}];
	isDuplicate(triggerOf(slow), result('c1'), NOW);
	isDuplicate(triggerOf(quick), result('c2'), NOW);
	const saved = stored(slow);
	const later = processOfN8n();
	for (const call of ['c1', 'c2']) {
		expect([call, later(triggerOf(saved), result(call), NOW)]).toEqual([call, true]);
	}
});

it('a store that holds something else is as good as an empty one', () => {
	const isDuplicate = processOfN8n();
	for (const yuntongxunSeen of [null, undefined, [], 7, { 'w1/t1': 7 }]) {
		const call = JSON.stringify({ yuntongxunSeen });
		expect(isDuplicate(triggerOf({ yuntongxunSeen }), result(call), NOW)).toBe(false);
		expect(isDuplicate(triggerOf({ yuntongxunSeen }), result(call), NOW)).toBe(true);
	}
});

it('whatever comes in whatever time, it is what a plain list of 24 hours says, over restarts too', () => {
	const arrivals = fc.array(
		fc.record({
			call: fc.integer({ min: 0, max: 8 }),
			after: fc.constantFrom(0, 1, 60_000, DAY / 3, DAY - 1, DAY),
			restarted: fc.boolean(),
		}),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(arrivals, (all) => {
			const firstSeen = new Map<number, number>();
			let now = NOW;
			let data: IDataObject = {};
			let isDuplicate = processOfN8n();
			for (const { call, after, restarted } of all) {
				now += after;
				if (restarted) {
					isDuplicate = processOfN8n();
					data = stored(data);
				}
				const seen = firstSeen.get(call);
				const isCopy = seen !== undefined && now - seen < DAY;
				if (!isCopy) firstSeen.set(call, now);
				expect(isDuplicate(triggerOf(data), result(`c${call}`), now)).toBe(isCopy);
				const kept = [...firstSeen.values()].filter((at) => now - at < DAY).length;
				if (!isCopy) expect(recordsIn(data)).toBe(kept);
			}
		}),
		{ numRuns: 200 },
	);
});

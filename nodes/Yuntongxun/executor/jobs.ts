import type { IDataObject } from 'n8n-workflow';

import type { WaitingRun } from '../callResult/waitingRun';
import type { Claims } from '../execution/claims';
import { outcomeOf } from '../execution/items';
import type { CheckedItem, ItemFailure, Job, Outcome, Turn } from '../execution/items';
import { onceOnly } from '../execution/onceOnly';
import type { Admit } from '../execution/onceOnly';
import type { Throttle } from '../execution/throttle';
import type { TokenRecords } from '../execution/tokenRecords';
import type { SharedSend } from '../operation/defineOperation';
import type { Send } from '../client/client';
import { ServiceFailure } from '../client/serviceFailure';
import { leftOut, limitsOf } from './limits';
import type { ReadyTask } from './validateItem';

/** What all jobs of a run share. */
export interface JobTools {
	waiting: WaitingRun;
	throttle: Throttle;
	claims: Claims;
	tokens: TokenRecords;
	/** Turns what was thrown for an item into a failure. */
	explain: (thrown: unknown, index: number, task: ReadyTask) => ItemFailure;
}

/**
 * The job of one item, or of several that share requests.
 *
 * @param group the items, in input order
 */
export function jobOf(group: ReadonlyArray<CheckedItem<ReadyTask>>, tools: JobTools): Job {
	const indexes = new Map(group.map(({ task, index }) => [task, index]));
	const explain = (thrown: unknown, task: ReadyTask) =>
		tools.explain(thrown, indexes.get(task) as number, task);
	return {
		items: group.map(({ index }) => index),
		run: async (turn) => {
			const conditions = {
				...CONDITIONS,
				explain(thrown: unknown, task: ReadyTask) {
					turn.failed();
					return explain(thrown, task);
				},
			};
			return await onceOnly(
				tools.claims,
				group.map(({ task }) => task),
				conditions,
				async (tasks, admit) => await carryOut(tasks, { ...tools, explain, turn, admit }),
			);
		},
	};
}

/** A repeated idempotency key sends nothing, and no number is reached too often. */
const CONDITIONS = {
	keyOf: ({ idempotencyKey }: ReadyTask) => idempotencyKey,
	duplicateOf: ({ idempotencyKey, to }: ReadyTask): IDataObject => ({
		duplicate: true,
		idempotencyKey,
		to: to?.join(','),
	}),
	limitsOf: (task: ReadyTask) => limitsOf(task),
	leftOut,
};

/** What sending for a job takes part in. */
interface Circumstances extends Omit<JobTools, 'claims' | 'explain'> {
	turn: Turn;
	admit: Admit<ReadyTask>;
	explain: (thrown: unknown, task: ReadyTask) => ItemFailure;
}

/** Sends for one item, or for several that share requests. */
async function carryOut(
	tasks: ReadyTask[],
	{ waiting, throttle, turn, admit, tokens, explain }: Circumstances,
): Promise<Array<Outcome | undefined>> {
	const [task] = tasks;
	const paced =
		(failed?: () => void): SharedSend =>
		async (members, requestFor) => {
			let admitted: number[] = [];
			return await throttle.run(async () => await task.send(requestFor(admitted)), {
				proceed: turn.proceed,
				async admit() {
					const able = new Set(await admit(members.map((member) => tasks[member])));
					admitted = members.filter((member) => able.has(tasks[member]));
					return admitted.length > 0;
				},
				isOverload: (thrown) => thrown instanceof ServiceFailure && thrown.facts.overload === true,
				failed,
			});
		};
	const alone = paced();
	const outputs =
		task.shared === undefined
			? [completed(waiting, task, async (request) => await alone([0], () => request), tokens)]
			: // Where the node stops at failures, the first request that fails ends the rest of the group.
				task.shared.completeAll(
					tasks.map(({ to }) => to ?? []),
					paced(turn.failed),
				);
	return await Promise.all(
		outputs.map(
			async (output, position) =>
				await outcomeOf(output, (thrown) => explain(thrown, tasks[position])),
		),
	);
}

/** Sends what there is to send, and notes the call if its result is waited for. */
async function completed(
	waiting: WaitingRun,
	{ complete, wait }: ReadyTask & { shared?: undefined },
	send: Send,
	tokens: TokenRecords,
): Promise<IDataObject[]> {
	const output = await complete(send, tokens);
	if (wait !== undefined) waiting.place(wait, output[0]);
	return output;
}

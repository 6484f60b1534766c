import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredWorkflow } from '../../harness/n8nRest';
import type { RoleProcess } from '../../harness/startRole';
import { until } from '../../harness/until';
import type { Fleet } from './fleet';

/** What n8n calls executions that have ended, in whatever way. */
const ENDED = ['success', 'error', 'crashed', 'canceled'];

/** What is done a second time by mistake would show by then. */
const QUIET_MS = 5_000;

/** Numbers from 0 on. */
export const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** A line of figures among Jest's own. */
export const print = (words: string): boolean => process.stdout.write(`   · ${words}\n`);

/** The time since a moment, for such a line. */
export const since = (start: number): string => `${((Date.now() - start) / 1000).toFixed(1)} s`;

/** Nothing more comes after that. */
export const quiet = async (): Promise<void> => await sleep(QUIET_MS);

/** Ids of the executions that a worker has begun or gone on with, by its log. */
export const begunBy = ({ log }: RoleProcess): string[] =>
	[...log.matchAll(/Worker started execution (\d+)/g)].map(([, id]) => id);

/** How many executions of a workflow have one of these statuses; by default: have ended. */
export async function countRows(
	{ n8n }: Fleet,
	workflow: StoredWorkflow,
	statuses = ENDED,
): Promise<number> {
	const counts = await Promise.all(
		statuses.map(async (each) => await n8n.rest.countExecutions(workflow, each)),
	);
	return counts.reduce((one, other) => one + other, 0);
}

/** Waits until so many executions of a workflow have ended. */
export async function ended(
	fleet: Fleet,
	workflow: StoredWorkflow,
	count: number,
	timeoutMs: number,
): Promise<void> {
	await until(
		`the end of ${count} executions`,
		async () => (await countRows(fleet, workflow)) >= count || undefined,
		{ timeoutMs, everyMs: 500 },
	);
}

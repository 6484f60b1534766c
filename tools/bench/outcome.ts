import type { Startable } from '../../test/harness/waitWorkflows';
import type { World } from '../../test/harness/world';
import { untilOver } from './executions';
import { followPeakMemory } from './memory';
import { duration } from './report';

/** What became of the executions of one workflow, each with calls that it placed. */
export interface Outcome {
	/** Until half of the calls were placed, in milliseconds. */
	halfPlaced: number;
	lastPlaced: number;
	ended: number;
	missing: number;
	megabytes: number;
}

/**
 * Starts executions at the same moment, and sees them to their end.
 *
 * @param bodies what each is started with
 * @param readPlaced when calls were placed, in milliseconds since 1970
 */
export async function watchOutcome(
	world: World,
	startable: Startable,
	bodies: object[],
	readPlaced: () => number[],
): Promise<Outcome> {
	const { workflow } = startable;
	const readPeak = followPeakMemory(world.n8n);
	const began = Date.now();
	await Promise.all(bodies.map(async (body) => await startable.start({ ...body })));
	const { missing, at } = await untilOver(world, workflow, bodies.length);
	const megabytes = readPeak();
	await world.n8n.rest.deactivate(workflow);
	const placed = readPlaced()
		.map((moment) => moment - began)
		.sort((one, other) => one - other);
	return {
		halfPlaced: placed[Math.floor(placed.length / 2)],
		lastPlaced: placed.at(-1) ?? NaN,
		ended: at - began,
		missing,
		megabytes,
	};
}

/** A row of the report. */
export const describeOutcome = (what: string, outcome: Outcome): string[] => [
	what,
	duration(outcome.halfPlaced),
	duration(outcome.lastPlaced),
	duration(outcome.ended),
	String(outcome.missing),
	`${outcome.megabytes.toFixed(0)} MB`,
];

import type { Task } from './operation';

/** From how many items of the same text on it is worth while to combine them. */
const WORTH_COMBINING = 20;

/** How a run goes, as far as hints depend on it. */
export interface RunFacts {
	/** Whether the node goes on with the rest where an item fails. */
	continues: boolean;
	/** Whether items that can share requests do. */
	combine: boolean;
	/** How often the service refused for load. */
	refusals: number;
}

/**
 * What the user should know though nothing is wrong.
 *
 * @param errands what is to be done for each item; those of the same kind can share requests
 */
export function hintsOf(
	errands: ReadonlyArray<{ task: Task; kind: string }>,
	{ continues, combine, refusals }: RunFacts,
): string[] {
	const reaching = errands.filter(({ task }) => task.to !== undefined).length;
	return [
		...errands.flatMap(({ task }) => task.hints ?? []),
		...(reaching > 1 && !continues
			? [
					'Several items reach people. Set On Error to Continue in the settings of this node, so that one refused number does not keep the rest from being reached.',
				]
			: []),
		...(combine ? [] : savings(errands)),
		...(refusals > 0
			? [
					`The service refused ${refusals} ${refusals === 1 ? 'request' : 'requests'} because too much came at once, so the node slowed down. Set Max Concurrency or Requests per Second to what the account can take.`,
				]
			: []),
	];
}

/** How many requests could be saved by combining the items of each text. */
function savings(errands: ReadonlyArray<{ task: Task; kind: string }>): string[] {
	const alike = new Map<string, Task[]>();
	for (const { task, kind } of errands) {
		if (task.shared === undefined) continue;
		const tasks = alike.get(kind) ?? [];
		tasks.push(task);
		alike.set(kind, tasks);
	}
	return [...alike.values()].flatMap((tasks) => {
		if (tasks.length < WORTH_COMBINING) return [];
		const numbers = tasks.map(({ to = [] }) => to);
		const count = (items: string[][]) => tasks[0].shared?.requestsFor(items) ?? 0;
		const alone = numbers.reduce((sum, each) => sum + count([each]), 0);
		return [
			`${tasks.length} items send the same text. With the option Combine Items they would take ${alone - count(numbers)} requests fewer.`,
		];
	});
}

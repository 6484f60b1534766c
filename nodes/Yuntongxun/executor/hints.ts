import type { ReadyTask } from './validateItem';

/** Fewest items with the same message for which combining is worth a hint. */
const WORTH_COMBINING = 20;

/** What hints need to know of a run. */
export interface RunFacts {
	/** Whether the node continues when an item fails. */
	continues: boolean;
	/** Whether items of the same kind share requests. */
	combine: boolean;
	/** How many requests the service refused because of load. */
	refusals: number;
}

/** What the user should know though nothing is wrong. */
export function hintsOf(
	tasks: readonly ReadyTask[],
	{ continues, combine, refusals }: RunFacts,
): string[] {
	const reaching = tasks.filter(({ to }) => to !== undefined).length;
	return [
		...tasks.flatMap(({ hints }) => hints ?? []),
		...(reaching > 1 && !continues
			? [
					'Several items reach people. Set On Error to Continue in the settings of this node, so that one refused number does not keep the rest from being reached.',
				]
			: []),
		...(combine ? [] : savings(tasks)),
		...(refusals > 0
			? [
					`The service refused ${refusals} ${refusals === 1 ? 'request' : 'requests'} because too much came at once, so the node slowed down. Set Max Parallel Requests or Max Requests per Second to what the account can take.`,
				]
			: []),
	];
}

/** How many requests combining would save, for each message. */
function savings(tasks: readonly ReadyTask[]): string[] {
	const kinds = new Map<string, ReadyTask[]>();
	for (const task of tasks) {
		if (task.shared === undefined) continue;
		const alike = kinds.get(task.kind) ?? [];
		alike.push(task);
		kinds.set(task.kind, alike);
	}
	return [...kinds.values()].flatMap((alike) => {
		if (alike.length < WORTH_COMBINING) return [];
		const numbers = alike.map(({ to = [] }) => to);
		const count = (items: string[][]) => alike[0].shared?.requestsFor(items) ?? 0;
		const alone = numbers.reduce((sum, each) => sum + count([each]), 0);
		return [
			`${alike.length} items send the same SMS. With the option Combine Identical Messages they would take ${alone - count(numbers)} requests fewer.`,
		];
	});
}

import type { MatrixFault } from './fault';
import { runMatrix, type Combination } from './matrix';

const LIMIT_MS = 15 * 60_000;

/** Declares a test for each fault, after all of them have run together. */
export function testMatrix(faults: readonly MatrixFault[]): void {
	let combinations: Combination[] = [];
	beforeAll(async () => {
		combinations = await runMatrix(faults);
	}, LIMIT_MS);

	it.each(faults.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
		const own = combinations.filter((each) => each.fault === fault);
		expect(own.length).toBeGreaterThan(0);
		expect(
			own.flatMap(({ operation, format, setting, deviations }) =>
				deviations.map((words) => `${operation}, ${format}, ${setting}: ${words}`),
			),
		).toEqual([]);
	});
}

import type { MatrixFault } from './fault';
import { runMatrix, type Combination, type SettingName } from './matrix';
import { writeReport, type FaultRow } from './report';

declare const RELIABILITY: { engine: string; isWhole: boolean };

const LIMIT_MS = 15 * 60_000;

/** Of half of the combinations, in which every two choices still meet. */
const isOfHalf = (...places: number[]): boolean =>
	places.reduce((sum, place) => sum + place, 0) % 2 === 0;

/**
 * Declares a test for each fault, after all of them have run together.
 *
 * @param part name of this part of the matrix
 */
export function testMatrix(part: string, faults: readonly MatrixFault[]): void {
	let combinations: Combination[] = [];
	beforeAll(async () => {
		combinations = await runMatrix(faults, RELIABILITY.isWhole ? () => true : isOfHalf);
		const rows = faults.map((fault) => rowOf(fault, combinations));
		writeReport(part, RELIABILITY, combinations, rows);
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

/** What a fault comes to for a notification call in JSON. */
function rowOf(fault: MatrixFault, combinations: readonly Combination[]): FaultRow {
	const call = (setting: SettingName) =>
		combinations.find(
			(each) =>
				each.fault === fault &&
				each.operation === 'call.notify' &&
				each.format === 'json' &&
				each.setting === setting,
		);
	return {
		name: fault.name,
		message: (call('continue')?.message ?? '').replace(/ ?\[item 0\]$/, ''),
		accepted: call('continue')?.accepted ?? '',
		requests: { once: call('stop')?.requests ?? 0, retried: call('retry')?.requests ?? 0 },
	};
}

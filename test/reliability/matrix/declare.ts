import type { MatrixFault } from './fault';
import { runMatrix, type Combination, type SettingName } from './matrix';
import { writeReport, type FaultRow } from './partReport';

const LIMIT_MS = 15 * 60_000;

/**
 * Declares a test for each fault, after all of them have run together.
 *
 * @param part name of this part of the matrix
 */
export function testMatrix(part: string, faults: readonly MatrixFault[]): void {
	let combinations: Combination[] = [];
	beforeAll(async () => {
		combinations = await runMatrix(faults);
		const rows = faults.map((fault) => summarizeFault(fault, combinations));
		writeReport(part, combinations, rows);
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

/** What a fault comes to for a call in JSON. */
function summarizeFault(fault: MatrixFault, combinations: readonly Combination[]): FaultRow {
	const call = (setting: SettingName) =>
		combinations.find(
			(each) =>
				each.fault === fault &&
				each.setting === setting &&
				each.operation === 'call.notify' &&
				each.format === 'json',
		);
	return {
		name: fault.name,
		message: (call('continue')?.message ?? '').replace(/ ?\[item 0\]$/, ''),
		accepted: call('continue')?.accepted ?? '',
		requests: { once: call('stop')?.requests ?? 0, retried: call('retry')?.requests ?? 0 },
	};
}

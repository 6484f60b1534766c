import type { MatrixFault } from './fault';
import { runMatrix, type Combination, type SettingName } from './matrix';
import { writeReport, type FaultRow } from './partReport';

const LIMIT_MS = 15 * 60_000;

const sumOf = (places: number[]): number => places.reduce((sum, place) => sum + place, 0);

/**
 * Declares a test for each fault, after all of them have run together.
 *
 * @param part name of this part of the matrix
 * @param oneIn which share of the combinations runs: enough for answers, which n8n hands over unread
 */
export function testMatrix(part: string, faults: readonly MatrixFault[], { oneIn = 1 } = {}): void {
	const isWanted = (...places: number[]) => sumOf(places) % oneIn === oneIn - 1;
	let combinations: Combination[] = [];
	beforeAll(async () => {
		combinations = await runMatrix(faults, isWanted);
		const rows = faults.map((fault) => rowOf(fault, combinations));
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

/** What a fault comes to for a call in JSON, or for what ran of it that is most like one. */
function rowOf(fault: MatrixFault, combinations: readonly Combination[]): FaultRow {
	const own = combinations.filter((each) => each.fault === fault);
	const like = ({ operation, format }: Combination): number =>
		2 * Number(operation.startsWith('call.')) + Number(format === 'json');
	const call = (setting: SettingName) =>
		own
			.filter((each) => each.setting === setting && each.changes)
			.sort((a, b) => like(b) - like(a))
			.at(0);
	return {
		name: fault.name,
		message: (call('continue')?.message ?? '').replace(/ ?\[item 0\]$/, ''),
		accepted: call('continue')?.accepted ?? '',
		requests: { once: call('stop')?.requests ?? 0, retried: call('retry')?.requests ?? 0 },
	};
}

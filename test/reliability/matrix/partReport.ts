import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Combination } from './matrix';

/** Where each test file leaves what it counted, for the summary. */
const FOLDER = resolve(__dirname, '../../../.cache/reliability');

/** One fault, as a user meets it. */
export interface FaultRow {
	name: string;
	/** What the node says of a call; empty for a success. */
	message: string;
	/** In the error item of a call; empty for a success. */
	accepted: string;
	/** Requests for a call with and without Retry On Fail. */
	requests: { once: number; retried: number };
}

/** What one test file ran. */
export interface PartReport {
	operations: number;
	formats: number;
	faults: number;
	settings: number;
	combinations: number;
	asExpected: number;
	rows: FaultRow[];
}

const distinct = <T>(values: T[]): number => new Set(values).size;

/** Counts what really ran, and leaves it for the summary. */
export function writeReport(
	part: string,
	combinations: readonly Combination[],
	rows: FaultRow[],
): void {
	const all = [...combinations];
	const report: PartReport = {
		operations: distinct(all.map(({ operation }) => operation)),
		formats: distinct(all.map(({ format }) => format)),
		faults: distinct(all.map(({ fault }) => fault.name)),
		settings: distinct(all.map(({ setting }) => setting)),
		combinations: distinct(
			all.map(({ fault, operation, format, setting }) =>
				[fault.name, operation, format, setting].join('/'),
			),
		),
		asExpected: all.filter(({ deviations }) => deviations.length === 0).length,
		rows,
	};
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, `${part}.json`), JSON.stringify(report, null, '\t'));
}

/** Forgets what earlier runs left. */
export function clearReports(): void {
	rmSync(FOLDER, { recursive: true, force: true });
}

/** What the test files of this run left. */
export function readReports(): PartReport[] {
	return readdirSync(FOLDER)
		.sort()
		.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as PartReport);
}

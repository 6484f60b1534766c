import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { FAILURES } from '../../nodes/Yuntongxun/client/failureTable';
import type { FaultRow, PartReport } from './matrix/partReport';

const ROOT = resolve(__dirname, '../..');
/** Everything that was seen, for who wants to look a fault up. Uploaded by CI. */
const REPORT = resolve(ROOT, 'reports/reliability.md');

const count = (value: number): string => value.toLocaleString('en-US');
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

/** What ran, in one line. */
function summaryLine(reports: readonly PartReport[]): string {
	const [{ operations, formats, settings }] = reports;
	const faults = sum(reports.map((each) => each.faults));
	const combinations = sum(reports.map((each) => each.combinations));
	const asExpected = sum(reports.map((each) => each.asExpected));
	const choices = `${count(faults)} faults, ${operations} operations, ${formats} formats, ${settings} settings`;
	return `Fault matrix: ${choices}: ${count(combinations)} combinations run, ${count(asExpected)} as expected`;
}

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const sentAgain = ({ once, retried }: FaultRow['requests']): string =>
	[once > 1 ? `${once - 1} times by itself` : '', retried > once ? 'with Retry On Fail' : '']
		.filter(Boolean)
		.join(', and again ') || 'no';

/**
 * Prints how much ran, and writes what the node said of every fault, and what its own table of
 * decisions holds, to `reports/reliability.md`.
 */
export function summarize(reports: readonly PartReport[]): void {
	const decisions = table(
		['What the table of failures says', 'accepted', 'Sent again by the node itself'],
		FAILURES.map(({ summary, accepted, retryable }) => [
			summary,
			accepted,
			retryable ? 'up to 3 times, later' : 'no',
		]),
	);
	const faults = table(
		['What goes wrong', 'What the node says of a call', 'accepted', 'Sent again'],
		reports
			.flatMap(({ rows }) => rows)
			.map(({ name, message, accepted, requests }) =>
				message ? [name, message, accepted, sentAgain(requests)] : [name, 'the result', '', ''],
			),
	);
	mkdirSync(dirname(REPORT), { recursive: true });
	writeFileSync(
		REPORT,
		[summaryLine(reports), '## What accepted rests on', decisions, '## Faults', faults, ''].join(
			'\n\n',
		),
	);
	console.log([summaryLine(reports), `Fault by fault: ${relative(ROOT, REPORT)}`].join('\n'));
}

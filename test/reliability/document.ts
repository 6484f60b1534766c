import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { FAILURES } from '../../nodes/Yuntongxun/client/classifyFailure';
import { GUARDS } from './guards/guardTable';
import { LOAD_CODES } from './matrix/codes';
import type { FaultRow, PartReport } from './matrix/report';

/** The document that users and engineers read. */
const DOCUMENT = resolve(__dirname, '../../docs/reliability.md');

const count = (value: number): string => value.toLocaleString('en-US');
const sum = (values: number[]): number => values.reduce((a, b) => a + b, 0);

/** What one generation of n8n's engine ran, in one line. */
export function summaryOf(reports: readonly PartReport[]): string {
	const [{ engine, operations, formats, settings }] = reports;
	const faults = sum(reports.map((each) => each.faults));
	const combinations = sum(reports.map((each) => each.combinations));
	const asExpected = sum(reports.map((each) => each.asExpected));
	const choices = `${count(faults)} faults, ${operations} operations, ${formats} formats, ${settings} settings`;
	return `Fault matrix, ${engine}: ${choices}: ${count(combinations)} combinations run, ${count(asExpected)} as expected`;
}

/** The reports by generation of n8n's engine, the newest first. */
export function byEngine(reports: readonly PartReport[]): PartReport[][] {
	const engines = [...new Set(reports.map(({ engine }) => engine))];
	return engines
		.map((engine) => reports.filter((each) => each.engine === engine))
		.sort(([a], [b]) => Number(b.isWhole) - Number(a.isWhole));
}

const distinct = <T>(values: T[]): T[] => [...new Set(values)];

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('_', '\\_');

function table(head: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The first sentence: what happened, without what to do. */
const happened = (message: string): string => message.replace(/\. .*$/s, '').replace(/\.$/, '');

function again({ accepted, requests: { once, retried } }: FaultRow): string {
	if (once === 0) return accepted === 'no' ? 'nothing had left' : 'no';
	const own = once > 1 ? `${once} times by itself` : '';
	const tries = retried > once ? 'with Retry On Fail' : '';
	return [own, tries].filter(Boolean).join(', and again ') || 'no';
}

const rowOf = (row: FaultRow): string[] => [
	cell(row.name),
	row.message === '' ? '_the result_' : cell(happened(row.message)),
	row.message === '' ? '' : `\`${row.accepted}\``,
	row.message === '' ? '' : again(row),
];

function faultTable(reports: readonly PartReport[]): string {
	const rows = reports.flatMap((each) => each.rows);
	const isCode = ({ name }: FaultRow) => /^Code \d+$/.test(name);
	const codes = rows.filter(isCode);
	const isLoad = ({ name }: FaultRow) => LOAD_CODES.has(name.replace('Code ', ''));
	const summed = (name: string, unit: string, said: string, some: FaultRow[]): string[][] =>
		some.length === 0
			? []
			: [
					[
						`${name} (${count(some.length)} ${unit})`,
						said,
						distinct(some.map(({ accepted }) => `\`${accepted}\``)).join(', '),
						distinct(some.map(again)).join('; '),
					],
				];
	const meaning = 'what the code means, and what to do';
	const families = distinct(rows.flatMap(({ family }) => family ?? []));
	return table(
		['What goes wrong', 'What the node says of a call', '`accepted`', 'Sent again'],
		[
			...summed(
				'A code of the service for too much at once',
				'codes',
				meaning,
				codes.filter(isLoad),
			),
			...summed(
				'Any other code of the service',
				'codes',
				meaning,
				codes.filter((row) => !isLoad(row)),
			),
			...families.flatMap((family) => {
				const some = rows.filter((row) => row.family === family);
				return summed(family, 'kinds', saidOf(some), some);
			}),
			...rows.filter((row) => !isCode(row) && row.family === undefined).map(rowOf),
		],
	);
}

/** What the node says of the faults of a family. */
function saidOf(rows: readonly FaultRow[]): string {
	const said = distinct(rows.map(({ message }) => cell(happened(message))));
	return said.length <= 3 ? said.join('; ') : 'what its HTTP status stands for';
}

const guardTable = (): string =>
	table(
		['Guard', 'Where it stands', 'Test that notices'],
		GUARDS.map(({ name, file, test }) => [
			cell(name),
			`[\`${file.replace('nodes/Yuntongxun/', '')}\`](../${file})`,
			`[\`${test.replace('test/', '')}\`](../${test})`,
		]),
	);

/** What `accepted` rests on, as the node has it. */
const decisionTable = (): string =>
	table(
		['What came back', '`accepted`', 'Sent again by the node itself'],
		FAILURES.map(({ reply, accepted, retryable: goesOutAgain }) => [
			cell(reply),
			`\`${accepted}\``,
			goesOutAgain ? 'up to 3 times, later' : 'no',
		]),
	);

/** What the test run writes into the document, by the name of the place. */
function blocks(reports: readonly PartReport[]): Record<string, string> {
	const engines = byEngine(reports);
	return {
		decisions: decisionTable(),
		figures: ['```text', ...engines.map(summaryOf), '```'].join('\n'),
		faults: faultTable(engines[0]),
		guards: guardTable(),
	};
}

/**
 * Puts what the run showed into its places in the document.
 *
 * @param isWritten whether the document is changed, rather than compared
 * @returns whether the document said the same before
 * @throws Error where the document lacks a place
 */
export async function updateDocument(
	reports: readonly PartReport[],
	isWritten: boolean,
): Promise<boolean> {
	const before = readFileSync(DOCUMENT, 'utf8');
	let after = before;
	for (const [name, content] of Object.entries(blocks(reports))) {
		const place = new RegExp(`(<!-- ${name}: .*? -->\\n)[\\s\\S]*?(<!-- end of ${name} -->)`);
		if (!place.test(after)) throw new Error(`${DOCUMENT} has no place for ${name}`);
		after = after.replace(place, (_all, start, end) => `${start}\n${content}\n\n${end}`);
	}
	const options = await resolveConfig(DOCUMENT);
	after = await format(after, { ...options, filepath: DOCUMENT });
	if (isWritten) writeFileSync(DOCUMENT, after);
	return after === before;
}

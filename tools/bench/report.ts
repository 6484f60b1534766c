/** One part of the report: what was measured, and the figures. */
export interface Section {
	title: string;
	/** What was done, in a few sentences. */
	method: string;
	head: string[];
	rows: string[][];
}

/** The middle one of some figures; of an even count the mean of the two in the middle. */
export function median(figures: number[]): number {
	const sorted = [...figures].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** A made-up mobile number for each item. */
export const recipients = (count: number): Array<{ to: string }> =>
	Array.from({ length: count }, (_, index) => ({ to: String(13_800_000_000 + index) }));

/** Milliseconds in words. */
export function duration(ms: number): string {
	return ms < 1000 ? `${ms.toFixed(ms < 10 ? 2 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** A ratio in words. */
export function ratio(figure: number, base: number): string {
	return (figure / base).toFixed(2);
}

/** A section as Markdown. */
export function describeSection({ title, method, head, rows }: Section): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const table = [line(head), line(head.map(() => '---')), ...rows.map(line)];
	return [`## ${title}`, method, table.join('\n')].join('\n\n');
}

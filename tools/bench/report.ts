/** One part of the report: what was measured, and the figures. */
export interface Section {
	title: string;
	/** What was done, in a few sentences. */
	method: string;
	head: string[];
	rows: string[][];
	/** The aims, and whether they were reached. */
	verdicts: Verdict[];
}

export interface Verdict {
	aim: string;
	seen: string;
	met: boolean;
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

/** Compares a ratio with the highest one aimed at. */
export function atMost(aim: string, figure: number, base: number, most: number): Verdict {
	const seen = ratio(figure, base);
	return { aim: `${aim}: at most ${most}`, seen, met: Number(seen) <= most };
}

/** An aim and what became of it, as an entry of a list. */
export const describeVerdict = ({ aim, seen, met }: Verdict): string =>
	`- ${met ? 'Met' : 'Missed'}: ${aim}; seen ${seen}`;

/** A section as Markdown. */
export function describeSection({ title, method, head, rows, verdicts }: Section): string {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const table = [line(head), line(head.map(() => '---')), ...rows.map(line)];
	const aims = verdicts.map(describeVerdict).join('\n');
	return [`## ${title}`, method, table.join('\n'), aims].filter(Boolean).join('\n\n');
}

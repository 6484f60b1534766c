import type { Shape } from './shape';

/** Two shapes side by side. */
export interface Comparison {
	readonly title: string;
	readonly isSame: boolean;
	/** A table in words: each part, live and simulated, with a mark where they differ. */
	readonly text: string;
}

const HEAD = ['', 'part', 'live', 'simulator'];

/** Puts the shapes of two answers to the same request side by side. */
export function comparisonOf(title: string, live: Shape, simulated: Shape): Comparison {
	const parts = [...new Set([...live.keys(), ...simulated.keys()])].sort();
	const rows = parts.map((part) => {
		const [one, other] = [live.get(part) ?? '-', simulated.get(part) ?? '-'];
		return [one === other ? ' ' : '≠', part, one, other];
	});
	const widths = HEAD.map((_, column) =>
		Math.max(...[HEAD, ...rows].map((row) => row[column].length)),
	);
	const lines = [HEAD, ...rows].map((row) =>
		row
			.map((cell, column) => cell.padEnd(widths[column]))
			.join('  ')
			.trimEnd(),
	);
	const different = rows.filter(([mark]) => mark === '≠').length;
	const verdict =
		different === 0
			? 'the simulator answers alike'
			: `${different} ${different === 1 ? 'difference' : 'differences'}`;
	return { title, isSame: different === 0, text: `\n${title}: ${verdict}\n${lines.join('\n')}` };
}

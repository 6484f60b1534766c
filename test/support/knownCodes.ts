import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The codes of a range (`first-last`), or the one code. */
export function listCodes(range: string): string[] {
	const [first, last = first] = range.split('-');
	const count = Number(last) - Number(first) + 1;
	return Array.from({ length: count }, (_, index) =>
		String(Number(first) + index).padStart(first.length, '0'),
	);
}

/** The publicly known status codes: each line a code or a range, and its category. */
export const KNOWN_CODES = readFileSync(
	join(__dirname, '../../docs/maintainers/status-codes.csv'),
	'utf8',
)
	.trim()
	.split('\n')
	.slice(1)
	.map((line) => line.split(','))
	.map(([range, category]) => ({ range, category, codes: listCodes(range) }));

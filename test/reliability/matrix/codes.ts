import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { MatrixFault } from './fault';

const CODES = resolve(__dirname, '../../unit/client/status-codes.csv');
const SUCCESS = '000000';

function expanded(range: string): string[] {
	const [first, last = first] = range.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
}

/** Every failure code that is publicly known of the service, ranges as single codes. */
function failureCodes(): string[] {
	return readFileSync(CODES, 'utf8')
		.trim()
		.split('\n')
		.slice(1)
		.map((line) => line.split(',')[0])
		.filter((range) => range !== SUCCESS)
		.flatMap(expanded);
}

/**
 * Codes with which the service refuses because too much comes at once: "concurrent-request limit
 * exceeded", "SMS channel busy", "channel throttling", "channel concurrency" in the list of codes.
 */
const LOAD_CODES: ReadonlySet<string> = new Set([
	'111111',
	...expanded('160001-160010'),
	'160016',
	'161006',
]);

/** A fault for each failure code of the service. */
export function codeFaults(): MatrixFault[] {
	return failureCodes().map((statusCode) => ({
		name: `Code ${statusCode}`,
		strikes: { effect: { kind: 'statusCode', statusCode }, accept: false },
		then: 'no',
		says: new RegExp(`\\(code ${statusCode}\\)\\. \\S`),
		statusCode,
		isLoad: LOAD_CODES.has(statusCode),
	}));
}

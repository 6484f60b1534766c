import { classifyLine } from '../../operation/numberIdentity';
import type { PhoneNumber } from '../../operation/numberIdentity';

const FOREIGN =
	'A foreign number is being texted. Nobody has tried this with this node: send a test SMS before you rely on it.';

/** Hints about the numbers to text. */
export const getTextedNumberHints = (numbers: readonly PhoneNumber[]): string[] =>
	numbers.some((number) => classifyLine(number) === 'foreign') ? [FOREIGN] : [];

import { classifyLine } from '../../operation/numberIdentity';
import type { PhoneNumber } from '../../operation/numberIdentity';

const FOREIGN =
	'A number of another country is texted. Nobody has tried such an SMS with this node: text one before you rely on it.';

/** Hints about the numbers to text. */
export const getTextedNumberHints = (numbers: readonly PhoneNumber[]): string[] =>
	numbers.some((number) => classifyLine(number) === 'foreign') ? [FOREIGN] : [];

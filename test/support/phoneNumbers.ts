import { parsePhoneNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import type { PhoneNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';

/** Reads a number that has to be one. */
export function toPhoneNumber(text: string): PhoneNumber {
	const number = parsePhoneNumber(text);
	if (number === undefined) throw new Error(`${text} is no phone number`);
	return number;
}

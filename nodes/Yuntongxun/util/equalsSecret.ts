import { timingSafeEqual } from 'crypto';

/** Whether a text that somebody sent is the secret one, compared in constant time; only a wrong length shows. */
export function equalsSecret(text: string, secret: string): boolean {
	const [left, right] = [Buffer.from(text), Buffer.from(secret)];
	return left.length === right.length && timingSafeEqual(left, right);
}

import { randomUUID } from 'crypto';

/**
 * The member of a request's options that marks it until it is signed. n8n may copy the options. Another
 * copy of this package, as after an update, has another name for it.
 */
export const MARK = `yuntongxunRequest ${randomUUID()}`;

/** The marks of requests that were not signed, and are not given up. */
const unsigned = new Set<unknown>();

/** Whether n8n hands marks over at all. */
let arrive = false;

/** @returns the mark of a new request */
export function createMark(): string {
	const mark = randomUUID();
	unsigned.add(mark);
	return mark;
}

/** Notes that a request is being signed. @throws Error if its sender no longer waits for it */
export function takeOffMark(options: object): void {
	if (!Object.hasOwn(options, MARK)) return;
	arrive = true;
	const isAwaited = unsigned.delete((options as Record<string, unknown>)[MARK]);
	if (!isAwaited) throw new Error('The node has given up this request, so it was not signed');
}

/** Gives a request up: it is not signed any more. @returns whether it was */
export function giveUpMark(mark: string): 'yes' | 'no' | 'unknown' {
	if (!unsigned.delete(mark)) return 'yes';
	return arrive ? 'no' : 'unknown';
}

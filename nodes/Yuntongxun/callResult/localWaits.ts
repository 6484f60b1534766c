import { dropOldest } from './dropOldest';

/** A wait of this process: when its execution began to park, once it has. */
interface LocalWait {
	parkedAt?: number;
}

/** Waits begun in this process; without queue mode these are all of them. */
const waits = new Map<string, LocalWait>();
const MOST_REMEMBERED = 10_000;

/** Notes that calls of a wait are about to be placed here. */
export function noteWait(key: string): void {
	waits.set(key, {});
	dropOldest(waits, MOST_REMEMBERED);
}

/** Notes that the node has returned, so that n8n now parks the execution. */
export function noteParking(key: string, now: number): void {
	waits.set(key, { parkedAt: now });
}

/** What this process knows of a wait; undefined if it was begun elsewhere. */
export function localWait(key: string): Readonly<LocalWait> | undefined {
	return waits.get(key);
}

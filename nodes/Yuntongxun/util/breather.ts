import { sleep } from 'n8n-workflow';

/** How long work may keep the event loop, in milliseconds. */
const BREATH_MS = 20;

/** @returns call it between pieces of work: it lets the event loop go on where it was kept long enough */
export function createBreather(): () => Promise<void> {
	let last = Date.now();
	return async () => {
		if (Date.now() - last < BREATH_MS) return;
		await sleep(0);
		last = Date.now();
	};
}

import type { Writable } from 'node:stream';

export interface Progress {
	/** A step that may take long has begun; it goes on until `done`, `failed` or the next one. */
	begin(step: string): void;
	/** What the step is doing at the moment, such as "1,200 of 1,811 packages". */
	detail(text: string): void;
	done(result?: string): void;
	failed(reason: string): void;
	/** A line of its own. */
	say(text: string): void;
}

const QUIET_INTERVAL_MS = 15_000;
const LIVE_INTERVAL_MS = 1_000;

/** Shows nothing. */
export const silent: Progress = {
	begin: () => undefined,
	detail: () => undefined,
	done: () => undefined,
	failed: () => undefined,
	say: () => undefined,
};

/**
 * Shows long steps with the seconds they have taken: on a terminal as one line that is rewritten
 * each second, elsewhere (a log, a CI run) as a new line every 15 seconds.
 *
 * @param stream where to, such as `process.stdout`
 */
export function showProgress(stream: Writable & { isTTY?: boolean; columns?: number }): Progress {
	const live = stream.isTTY === true;
	let step: { name: string; since: number; detail: string; timer: NodeJS.Timeout } | undefined;

	const line = (mark: string, text: string): string => `   ${mark} ${text}`;
	const state = (): string => {
		if (!step) return '';
		const detail = step.detail ? `: ${step.detail}` : '';
		return `${step.name}${detail} (${elapsed(step.since)})`;
	};
	const clear = (): void => {
		if (live) stream.write('\r\x1b[2K');
	};
	const draw = (): void => {
		if (!step) return;
		const text = line('…', state());
		if (live) stream.write(`\r\x1b[2K${text.slice(0, (stream.columns ?? 80) - 1)}`);
		else stream.write(`${text}\n`);
	};
	const end = (mark: string, words: string): void => {
		if (!step) return;
		clearInterval(step.timer);
		clear();
		stream.write(`${line(mark, `${step.name}${words} (${elapsed(step.since)})`)}\n`);
		step = undefined;
	};

	return {
		begin(name) {
			end('✓', '');
			const timer = setInterval(draw, live ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS);
			timer.unref();
			step = { name, since: Date.now(), detail: '', timer };
			draw();
		},
		detail(text) {
			if (step) step.detail = text;
		},
		done(result) {
			end('✓', result ? `: ${result}` : '');
		},
		failed(reason) {
			end('✗', `: ${reason}`);
		},
		say(text) {
			clear();
			stream.write(`${text}\n`);
			if (live) draw();
		},
	};
}

function elapsed(since: number): string {
	const seconds = Math.round((Date.now() - since) / 1000);
	return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

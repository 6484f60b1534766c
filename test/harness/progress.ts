import type { Writable } from 'node:stream';

export interface Progress {
	/** Starts a long step; ends the one before. */
	begin(step: string): void;
	done(): void;
	failed(): void;
	/** Ends the step silently. */
	end(): void;
	/** Prints a line. */
	say(text: string): void;
}

const QUIET_INTERVAL_MS = 15_000;
const LIVE_INTERVAL_MS = 1_000;

/** Exit code of a program whose reader is gone, as a shell gives it. */
const BROKEN_PIPE = 141;

/** Shows nothing. */
export const silent: Progress = {
	begin: () => undefined,
	done: () => undefined,
	failed: () => undefined,
	end: () => undefined,
	say: () => undefined,
};

/**
 * Shows long steps with the seconds they have taken: on a terminal as one line that is rewritten
 * each second, elsewhere (a log, a CI run) as a new line every 15 seconds.
 *
 * @param stream where to, such as `process.stdout`
 */
export function showProgress(stream: Writable & { isTTY?: boolean; columns?: number }): Progress {
	endWithReader(stream);
	const live = stream.isTTY === true;
	let step: { name: string; since: number; timer: NodeJS.Timeout } | undefined;

	const line = (mark: string, text: string): string => `   ${mark} ${text}`;
	const state = (): string => (step ? `${step.name} (${elapsed(step.since)})` : '');
	const clear = (): void => {
		if (live) stream.write('\r\x1b[2K');
	};
	const draw = (): void => {
		if (!step) return;
		const text = line('…', state());
		if (live) stream.write(`\r\x1b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
		else stream.write(`${text}\n`);
	};
	const end = (): void => {
		if (!step) return;
		clearInterval(step.timer);
		clear();
		step = undefined;
	};
	const endWith = (mark: string): void => {
		if (!step) return;
		const text = state();
		end();
		stream.write(`${line(mark, text)}\n`);
	};

	return {
		begin(name) {
			end();
			const timer = setInterval(draw, live ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS);
			timer.unref();
			step = { name, since: Date.now(), timer };
			if (live) draw();
		},
		done() {
			endWith('✓');
		},
		failed() {
			endWith('✗');
		},
		end,
		say(text) {
			clear();
			stream.write(`${text}\n`);
			if (live) draw();
		},
	};
}

/** Ends this process without a stack when nobody reads what it prints any more, as behind `| head`. */
function endWithReader(stream: Writable): void {
	if (stream.listeners('error').includes(endOnBrokenPipe)) return;
	stream.on('error', endOnBrokenPipe);
}

function endOnBrokenPipe(error: NodeJS.ErrnoException): void {
	if (error.code !== 'EPIPE') throw error;
	process.exit(BROKEN_PIPE);
}

/** The time since a moment, such as "3 min 20 s". */
export function elapsed(since: number): string {
	const seconds = (Date.now() - since) / 1000;
	if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
	const whole = Math.round(seconds);
	return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

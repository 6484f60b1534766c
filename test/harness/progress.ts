import type { Writable } from 'node:stream';

const QUIET_INTERVAL_MS = 15_000;
const LIVE_INTERVAL_MS = 1_000;

/** Exit code of a program whose reader is gone, as a shell gives it. */
const BROKEN_PIPE = 141;

/**
 * Shows long steps with the seconds they have taken: on a terminal as one line that is rewritten
 * each second, elsewhere (a log, a CI run) as a new line every 15 seconds.
 */
export class Progress {
	private step: { name: string; since: number; timer: NodeJS.Timeout } | undefined;
	private readonly isLive: boolean;

	/** @param stream where to, such as `process.stdout` */
	constructor(private readonly stream: Writable & { isTTY?: boolean; columns?: number }) {
		this.isLive = stream.isTTY === true;
		endWithReader(stream);
	}

	/** Starts a long step; ends the one before. */
	begin(name: string): void {
		this.end();
		const interval = this.isLive ? LIVE_INTERVAL_MS : QUIET_INTERVAL_MS;
		const timer = setInterval(() => this.draw(), interval);
		timer.unref();
		this.step = { name, since: Date.now(), timer };
		if (this.isLive) this.draw();
	}

	/** Ends the step. @param mark how it ended, for the line about it; without one nothing is said */
	end(mark?: '✓' | '✗'): void {
		if (!this.step) return;
		const line = this.describe(mark ?? '');
		clearInterval(this.step.timer);
		this.step = undefined;
		this.clear();
		if (mark) this.stream.write(`${line}\n`);
	}

	/** Prints a line. */
	say(text: string): void {
		this.clear();
		this.stream.write(`${text}\n`);
		if (this.isLive) this.draw();
	}

	private draw(): void {
		if (!this.step) return;
		const line = this.describe('…');
		this.clear();
		this.stream.write(this.isLive ? line.slice(0, (this.stream.columns || 80) - 1) : `${line}\n`);
	}

	private describe(mark: string): string {
		return this.step ? `   ${mark} ${this.step.name} (${tellElapsed(this.step.since)})` : '';
	}

	private clear(): void {
		if (this.isLive) this.stream.write('\r\x1b[2K');
	}
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
function tellElapsed(since: number): string {
	const seconds = (Date.now() - since) / 1000;
	if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
	const whole = Math.round(seconds);
	return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * Runs one command and ends with the process that asked for it, however that ends: the operating
 * system then closes our standard input.
 *
 * A separate program, because handlers inside the asking process do not run on `kill -9`, nor under
 * Jest on Ctrl-C.
 */
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';

interface LeashRequest {
	command: string;
	args: string[];
	/** Folders to delete if the asking process ends without stopping the command. */
	removeIfAbandoned: string[];
}

const { command, args, removeIfAbandoned } = JSON.parse(process.argv[2]) as LeashRequest;
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });

const killGroup = (): void => {
	try {
		if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
	}
};

let abandoned = false;
process.stdin.resume();
process.stdin.on('close', () => {
	abandoned = true;
	killGroup();
});
process.on('SIGTERM', () => child.kill('SIGTERM'));
process.on('SIGUSR2', killGroup);
// A terminal sends these to everyone: the asking process decides what they mean.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);

child.on('error', (error) => {
	process.stderr.write(`${command} cannot be started: ${error.message}\n`);
	process.exit(127);
});
child.on('exit', (code, signal) => {
	killGroup();
	if (abandoned) {
		for (const folder of removeIfAbandoned) {
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}
	process.exit(code ?? (signal === 'SIGTERM' ? 143 : 137));
});

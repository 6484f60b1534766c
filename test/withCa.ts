/**
 * Runs a command that trusts the simulator's certificate:
 * `tsx test/withCa.ts <command> [arguments]`. Makes the certificate authority where there is
 * none, sets NODE_EXTRA_CA_CERTS, looks the command up in node_modules/.bin first, and passes
 * input, output, signals and the exit code through.
 */
import { spawn } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { ensureCertificateAuthority } from '../simulator/certificate';

const BIN = resolve(__dirname, '../node_modules/.bin');
const FORWARDED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** What a shell answers for a command that it cannot find. */
const NOT_FOUND = 127;

async function main(): Promise<void> {
	const [command, ...rest] = process.argv.slice(2);
	if (command === undefined) {
		console.error('Usage: tsx test/withCa.ts <command> [arguments]');
		process.exit(2);
	}
	const { file } = await ensureCertificateAuthority();
	const child = spawn(command, rest, {
		stdio: 'inherit',
		env: {
			...process.env,
			NODE_EXTRA_CA_CERTS: file,
			PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
		},
	});
	for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
	child.on('error', (error) => {
		console.error(`${command} could not be started: ${error.message}`);
		process.exit(NOT_FOUND);
	});
	child.on('exit', (code, signal) => {
		if (signal) {
			for (const forwarded of FORWARDED) process.removeAllListeners(forwarded);
			process.kill(process.pid, signal);
		} else process.exit(code ?? 1);
	});
}

void main();

/**
 * Runs a command that trusts the simulator's certificate: `tsx test/withCa.ts <command> [arguments]`. Makes the
 * certificate authority where there is none, looks the command up in node_modules/.bin first, and passes input,
 * output, signals and the exit code through.
 */
import { spawn } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { ensureCertificateAuthority } from '../simulator/certificate';

const BIN = resolve(__dirname, '../node_modules/.bin');
/** What a shell answers for a command that a signal has ended. */
const KILLED = 137;

async function main(): Promise<void> {
	const [command, ...rest] = process.argv.slice(2);
	const { file } = await ensureCertificateAuthority();
	const PATH = `${BIN}${delimiter}${process.env.PATH ?? ''}`;
	const env = { ...process.env, NODE_EXTRA_CA_CERTS: file, PATH };
	const child = spawn(command, rest, { stdio: 'inherit', env });
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => child.kill(signal));
	}
	child.on('exit', (code) => process.exit(code ?? KILLED));
}

void main();

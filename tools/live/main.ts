/**
 * Asks the live service, and shows how its answers differ from the simulator's:
 *
 *     npm run live [-- --to <number> --result-url <URL> --port <port>]
 *
 * With these options it also makes one voice notification call, which costs money, and waits for its
 * result. The credential comes from environment variables: see CONTRIBUTING.md.
 *
 * Exit code: 0 if everything succeeded as it does on the simulator, 1 if not.
 */
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../../simulator/index';
import { readCredential } from './ask';
import { askLive } from './live';

/** Asks whoever sits there; without a terminal nobody agrees. */
async function agrees(): Promise<boolean> {
	if (!process.stdin.isTTY) return false;
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	const question =
		'\nThis makes one call that speaks some seconds; the account pays for it. Type yes: ';
	const answer = await terminal.question(question).finally(() => terminal.close());
	return answer.trim().toLowerCase() === 'yes';
}

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: { to: { type: 'string' }, 'result-url': { type: 'string' }, port: { type: 'string' } },
	});
	const { to, 'result-url': resultUrl, port } = values;
	const given = [to, resultUrl, port].filter((each) => each !== undefined);
	if (given.length % 3 > 0) throw new Error('A call needs all of --to, --result-url and --port');
	const call = to && resultUrl && port && { to, resultUrl, port: Number(port), agrees };
	const credential = readCredential(process.env);
	const simulator = await startSimulator({ callResultDelayMs: 0 });
	try {
		const isSame = await askLive(
			credential,
			simulator,
			(text) => console.log(text),
			call || undefined,
		);
		return isSame ? 0 : 1;
	} finally {
		await simulator.stop();
	}
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);

import { createInterface } from 'node:readline/promises';
import { startSimulator } from '../simulator';
import { askLive, type Person } from './live';
import { readSettings, USAGE, WrongUsage, type LiveSettings } from './settings';

const person: Person = {
	tell: (text) => console.log(text),
	agrees: async (question) => {
		if (!process.stdin.isTTY) throw new WrongUsage('Without a terminal a call needs --yes');
		const terminal = createInterface({ input: process.stdin, output: process.stdout });
		const answer = await terminal
			.question(`${question} Type yes: `)
			.finally(() => terminal.close());
		return answer.trim().toLowerCase() === 'yes';
	},
};

async function open(settings: LiveSettings): Promise<boolean> {
	const simulator = await startSimulator({ orderId: 'always' });
	try {
		return await askLive(settings, simulator, person);
	} finally {
		await simulator.stop();
	}
}

async function main(): Promise<number> {
	try {
		return (await open(readSettings(process.argv.slice(2), process.env))) ? 0 : 1;
	} catch (error) {
		if (!(error instanceof WrongUsage)) throw error;
		console.error(`${error.message}\n\n${USAGE}`);
		return 2;
	}
}

main().then(
	(exitCode) => process.exit(exitCode),
	(error: Error) => {
		console.error(error.message);
		process.exit(1);
	},
);

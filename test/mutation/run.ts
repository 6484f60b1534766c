/**
 * Mutation testing: `npm run test:mutation [-- <room> …]`. Breaks the code in every small way there
 * is, one at a time, and counts how often a test notices. Each room of the code is judged by its own
 * tests; fails where fewer than 90 % are noticed. Takes hours; what has not changed since the last
 * run is not tried again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import rooms from './rooms.json';

async function main(): Promise<number> {
	const known = Object.keys(rooms);
	const chosen = process.argv.length > 2 ? process.argv.slice(2) : known;
	const strangers = chosen.filter((room) => !known.includes(room));
	if (strangers.length > 0) {
		throw new Error(`There is no room ${strangers.join(', ')}. There are: ${known.join(', ')}`);
	}
	const failed: string[] = [];
	for (const room of chosen) {
		console.log(`\n${room}`);
		const stryker = spawn('stryker', ['run'], {
			stdio: 'inherit',
			env: { ...process.env, MUTATION_ROOM: room },
		});
		const [code] = (await once(stryker, 'exit')) as [number | null];
		if (code !== 0) failed.push(room);
	}
	if (failed.length > 0) console.error(`Too much goes unnoticed in: ${failed.join(', ')}`);
	return failed.length;
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));

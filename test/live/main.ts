/**
 * Asks the live service, and shows how its answers differ from the simulator's: `npm run live`. The
 * credential comes from environment variables: see CONTRIBUTING.md.
 *
 * Exit code: 0 if everything succeeded as it does on the simulator, 1 if not.
 */
import { startSimulator } from '../simulator';
import { readCredential } from './ask';
import { askLive } from './live';

async function main(): Promise<number> {
	const credential = readCredential(process.env);
	const simulator = await startSimulator({ orderId: 'always' });
	try {
		return (await askLive(credential, simulator, (text) => console.log(text))) ? 0 : 1;
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

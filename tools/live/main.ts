/**
 * Asks the live service, and shows how its answers differ from the simulator's:
 *
 *     npm run live [-- --to <number> --result-url <URL>]
 *
 * With these options it also makes one voice notification call, which costs money, and waits for its
 * result. The credential comes from environment variables: see CONTRIBUTING.md.
 *
 * Exit code: 0 if everything is as it is on the simulator, 1 if not.
 */
import { parseArgs } from 'node:util';
import { startSimulator } from '../../simulator/index';
import { askLive, type LiveCredential } from './live';

/** Where the result of a call has to arrive on this machine. */
const PORT = 8899;

/** The credential that the environment names. */
function readCredential(): LiveCredential {
	const [accountSid, authToken, appId] = ['ACCOUNT_SID', 'AUTH_TOKEN', 'APP_ID'].map((name) => {
		const value = process.env[`YUNTONGXUN_${name}`]?.trim();
		if (!value) throw new Error(`Not set: YUNTONGXUN_${name}`);
		return value;
	});
	const { YUNTONGXUN_BASE_URL: baseUrl = 'https://app.cloopen.com:8883' } = process.env;
	return { accountSid, authToken, appId, baseUrl };
}

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: { to: { type: 'string' }, 'result-url': { type: 'string' } },
	});
	const { to, 'result-url': resultUrl } = values;
	if (!to !== !resultUrl) throw new Error('A call needs both --to and --result-url');
	const call = to && resultUrl ? { to, resultUrl, port: PORT } : undefined;
	const credential = readCredential();
	const simulator = await startSimulator({ callResultDelayMs: 0 });
	try {
		return (await askLive(credential, simulator, console.log, call)) ? 0 : 1;
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

import { parseArgs } from 'node:util';
import { NUMBER_TABLE, startSimulator, type Simulator } from './index';

const introduce = ({ url, caFile, credentials }: Simulator) => `The simulated service is running.
Nothing here places a real call or costs money.

Credential (made up):
  Account SID           ${credentials.accountSid}
  Auth Token            ${credentials.authToken}
  App ID                ${credentials.appId}
  Base URL              ${url}

Call results, by the last digit of the called number:
${Object.entries(NUMBER_TABLE)
	.map(([digit, [words]]) => `  …${digit}  ${words}`)
	.join('\n')}

SMS templates: 100002 (two variables), 100001 (one), 100000 (none), 1 (the test template: two
numeric variables, to 13800000000 up to 13800000009 only).

Start an n8n that trusts its certificate, in another terminal:
  NODE_EXTRA_CA_CERTS="${caFile}" npx n8n

What arrives stands below. Ctrl+C stops it.
`;

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '8883' } } });
	const simulator = await startSimulator({
		port: Number(values.port),
		tell: (line) => console.log(`${new Date().toISOString().slice(11, 19)}  ${line}`),
	});
	console.log(introduce(simulator));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void simulator.stop());
	}
}

main().catch((error: Error) => {
	console.error(`${error.message}\n\nUsage: npm run simulator [-- --port 8883]`);
	process.exit(1);
});

#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { getCode, getMessage } from './errors';
import { NUMBER_TABLE, startSimulator, type Simulator, type SimulatorOptions } from './index';

const USAGE = `Usage: yuntongxun-simulator [options]

  --port <number>          port of the service (default 8883)
  --console-port <number>  serve the console page over plain HTTP as well
  --latency <ms>           time between accepting a request and answering it (default 0)
  --result-delay <ms>      time between accepting a call and its result (default 200)
  --sms-push-url <url>     where reports on SMS and replies to them go, as the console sets it
  --ca-folder <path>       where its certificate authority is kept

While it runs, POST /_simulator/settings changes all that it does: see the README.`;

function readNumber(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number: ${text}`);
	return Number(text);
}

/** @throws Error for an unknown option, in words for the user */
function readArguments(): SimulatorOptions {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '8883' },
			'console-port': { type: 'string' },
			latency: { type: 'string' },
			'result-delay': { type: 'string' },
			'sms-push-url': { type: 'string' },
			'ca-folder': { type: 'string' },
		},
	});
	return {
		port: readNumber('port', values.port),
		consolePort: readNumber('console-port', values['console-port']),
		latencyMs: readNumber('latency', values.latency),
		callResultDelayMs: readNumber('result-delay', values['result-delay']),
		smsPushUrl: values['sms-push-url'],
		caFolder: values['ca-folder'],
	};
}

function introduce({ url, consoleUrl, caFile, credentials }: Simulator): string {
	const numbers = NUMBER_TABLE.map(({ lastDigit, words }) => `  …${lastDigit}  ${words}`);
	return `The simulated service is running. Nothing here places a real call or costs money.

Credential (made up):
  Account SID           ${credentials.accountSid}
  Auth Token            ${credentials.authToken}
  App ID                ${credentials.appId}
  Base URL              ${url}

Watch it at ${consoleUrl}

Call results, by the last digit of the called number:
${numbers.join('\n')}

SMS templates: 100002 (two variables), 100001 (one), 100000 (none), 1 (the test template: two
numeric variables, to 13800000000 up to 13800000009 only).

Start an n8n that trusts its certificate, in another terminal:
  NODE_EXTRA_CA_CERTS="${caFile}" npx n8n

Ctrl+C stops it.`;
}

function fail(words: string): never {
	console.error(words);
	process.exit(1);
}

async function main(): Promise<void> {
	let given: SimulatorOptions;
	try {
		given = readArguments();
	} catch (error) {
		return fail(`${getMessage(error)}\n\n${USAGE}`);
	}
	try {
		const simulator = await startSimulator(given);
		console.log(introduce(simulator));
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.once(signal, () => void simulator.stop());
		}
	} catch (error) {
		if (getCode(error) !== 'EADDRINUSE') throw error;
		fail(`${getMessage(error)}\nThe port is taken: choose another with --port or --console-port.`);
	}
}

void main();

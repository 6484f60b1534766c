import { parseArgs } from 'node:util';

export const USAGE = `Asks the live service, and shows how its answers differ from the simulator's.

  npm run live                      reads the account and the sub-accounts; costs nothing

  npm run live -- --to <number> --result-url <URL> --listen <port>
                                    also makes one voice notification call and waits for its result

  --to <number>        the phone number to call
  --result-url <URL>   public address that leads to this machine, such as that of a tunnel; the
                       service sends the result of the call there
  --listen <port>      port of this machine that the address leads to; 0.0.0.0:<port> without a tunnel
  --wait <minutes>     how long to wait for the result (default 5)
  --yes                make the call without asking

The credential comes from environment variables:

  YUNTONGXUN_ACCOUNT_SID   ACCOUNT SID of the main account
  YUNTONGXUN_AUTH_TOKEN    AUTH TOKEN of the main account
  YUNTONGXUN_APP_ID        APP ID of an application
  YUNTONGXUN_BASE_URL      Rest URL of the account (default https://app.cloopen.com:8883)

Exit code: 0 if everything succeeded as it does on the simulator, 1 if not, 2 for wrong usage.`;

/** The command line or the environment is incomplete or wrong; the message says what to change. */
export class WrongUsage extends Error {
	override readonly name = 'WrongUsage';
}

/** The credential of an account, as a stored credential of n8n holds it. */
export interface LiveCredential {
	readonly accountSid: string;
	readonly authToken: string;
	readonly appId: string;
	readonly baseUrl: string;
}

/** One call to make, and where its result arrives. */
export interface LiveCall {
	readonly to: string;
	readonly resultUrl: string;
	readonly listen: { readonly host: string; readonly port: number };
	readonly waitMs: number;
	/** Whether the call needs no confirmation. */
	readonly isConfirmed: boolean;
}

export interface LiveSettings {
	readonly credential: LiveCredential;
	/** Absent unless a call is wanted. */
	readonly call?: LiveCall;
}

const DEFAULT_BASE_URL = 'https://app.cloopen.com:8883';
const MINUTE_MS = 60_000;

function readCredential(env: NodeJS.ProcessEnv): LiveCredential {
	const missing: string[] = [];
	const required = (name: string): string => {
		const value = env[name]?.trim() ?? '';
		if (value === '') missing.push(name);
		return value;
	};
	const credential = {
		accountSid: required('YUNTONGXUN_ACCOUNT_SID'),
		authToken: required('YUNTONGXUN_AUTH_TOKEN'),
		appId: required('YUNTONGXUN_APP_ID'),
		baseUrl: env.YUNTONGXUN_BASE_URL?.trim() || DEFAULT_BASE_URL,
	};
	if (!/^https:\/\/[^\s/]/.test(credential.baseUrl) || !URL.canParse(credential.baseUrl)) {
		throw new WrongUsage('YUNTONGXUN_BASE_URL must begin with https://');
	}
	if (missing.length > 0) throw new WrongUsage(`Not set: ${missing.join(', ')}`);
	return credential;
}

function parse(args: readonly string[]) {
	try {
		const { values } = parseArgs({
			args: [...args],
			options: {
				to: { type: 'string' },
				'result-url': { type: 'string' },
				listen: { type: 'string' },
				wait: { type: 'string', default: '5' },
				yes: { type: 'boolean', default: false },
			},
		});
		return values;
	} catch (error) {
		throw new WrongUsage((error as Error).message);
	}
}

function readCall(args: readonly string[]): LiveCall | undefined {
	const { to, 'result-url': resultUrl, listen, wait = '', yes = false } = parse(args);
	if (to === undefined && resultUrl === undefined && listen === undefined) return undefined;
	if (to === undefined || resultUrl === undefined || listen === undefined) {
		throw new WrongUsage('A call needs all of --to, --result-url and --listen');
	}
	if (!/^\+?\d{3,20}(-\d{1,8})?$/.test(to)) throw new WrongUsage('--to is not a phone number');
	if (!/^https?:\/\//.test(resultUrl) || !URL.canParse(resultUrl)) {
		throw new WrongUsage('--result-url must begin with http:// or https://');
	}
	const [, host = '127.0.0.1', port] = /^(?:([\w.]+):)?(\d{1,5})$/.exec(listen) ?? [];
	if (port === undefined) throw new WrongUsage('--listen must be a port, or an address and a port');
	if (!/^\d+$/.test(wait)) throw new WrongUsage('--wait must be a number of minutes');
	return {
		to,
		resultUrl,
		listen: { host, port: Number(port) },
		waitMs: Number(wait) * MINUTE_MS,
		isConfirmed: yes,
	};
}

/**
 * What to do, from the command line and the environment.
 *
 * @throws WrongUsage for what is missing or wrong; never shows a value of the environment
 */
export function readSettings(args: readonly string[], env: NodeJS.ProcessEnv): LiveSettings {
	const call = readCall(args);
	return { credential: readCredential(env), ...(call && { call }) };
}

import { createServer as createHttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import {
	createAccount,
	getCredentials,
	findStatusRefusal,
	type Account,
	type AccountCredentials,
} from './accounts';
import {
	planResults,
	writeCallResult,
	type CallResultOverrides,
	type PlannedResult,
} from './callResults';
import {
	ensureCertificateAuthority,
	makeServerCertificate,
	type CertificateDefect,
} from './certificate';
import { createConsole } from './console/handler';
import { getMessage } from './errors';
import { createExchange } from './exchange';
import { createFaults, type Fault, type FaultRule } from './faults';
import { createIdMaker } from './ids';
import { checkAcknowledgement, deliver } from './notifier';
import {
	createRecorder,
	type Acceptance,
	type AcceptedCall,
	type AcceptedMessage,
	type LocatedViolation,
	type RecordChanges,
	type SentNotification,
	type SimulatorRecord,
} from './record';
import { close, collectBody, createServiceServer, listen } from './server';
import { DEFAULT_SETTINGS, type Settings } from './settings';
import {
	writeSmsReply,
	writeSmsReport,
	type PushedReply,
	type SmsPushOverrides,
} from './smsPushes';
import { createSubAccountStore, seedSubAccounts } from './subAccountStore';
import { createTasks } from './pendingTasks';

/** How to start a simulator; every setting can be given here too. */
export interface SimulatorOptions extends Partial<Settings> {
	/** Port of the service; 0 (the default) takes any free one. */
	readonly port?: number;
	/** Address to listen on (default `127.0.0.1`). */
	readonly host?: string;
	/** Port of the console page over plain HTTP as well; 0 takes any free one. */
	readonly consolePort?: number;
	/** Where the certificate authority is kept (default `.cache/simulator-ca`). */
	readonly caFolder?: string;
	/** What is wrong with the server's certificate (default nothing). */
	readonly certificateDefect?: CertificateDefect;
	/** Path in front of the version segment, for example `/gateway` (default none). */
	readonly basePath?: string;
	/** Changed members of the account. */
	readonly account?: Partial<Account>;
	/** The clock, milliseconds since 1970 UTC (default `Date.now`). */
	readonly now?: () => number;
}

/** What tests and the console can do with a simulator. */
export interface SimulatorControl {
	/** What a client needs. */
	readonly credentials: AccountCredentials;
	/** Everything received and sent. */
	readonly record: SimulatorRecord;
	/** What clients and receivers did wrong, in words: connections first, the rest in order. */
	violations(): LocatedViolation[];
	/** Every accepted call, SMS and sub-account. */
	accepted(): readonly Acceptance[];
	/** Entries that came or changed after a revision. */
	changesSince(revision: number): RecordChanges;
	/** Back to the state right after the start: record, faults, settings, account, sub-accounts. */
	reset(): void;
	settings(): Settings;
	configure(changes: Partial<Settings>): void;
	account(): Account;
	/** Changes members of the account: its status, its balance, its templates. */
	changeAccount(changes: Partial<Account>): void;
	/** Time between accepting and answering, milliseconds. */
	setLatency(ms: number): void;
	/** Adds sub-accounts to the live application, and gives their ids. */
	seedSubAccounts(count: number): string[];
	/** Injects a fault. */
	fail(rule: FaultRule): Fault;
	/** The faults that were injected and not removed, in that order. */
	faults(): readonly Fault[];
	/**
	 * Sets the results of calls to a number, instead of the table of last digits; without results
	 * the table applies again.
	 */
	planCalls(number: string, results?: readonly PlannedResult[]): void;
	/**
	 * Sends a call result now.
	 * @param callSid of an accepted call, or any other one together with `overrides.url`
	 * @returns the notification with the receiver's answer or the error
	 * @throws Error without a URL to send it to
	 */
	sendCallResult(callSid: string, overrides?: CallResultOverrides): Promise<SentNotification>;
	/**
	 * Pushes a delivery report now.
	 * @param smsMessageSid of an accepted SMS, or any other one together with `fields.fromNum`
	 * @param number which of its numbers it is about (default: the first one)
	 * @returns the push with the receiver's answer or the error
	 * @throws Error without a URL to send it to
	 */
	sendSmsReport(
		smsMessageSid: string,
		overrides?: SmsPushOverrides & { readonly number?: string },
	): Promise<SentNotification>;
	/**
	 * Pushes a reply to an SMS now.
	 * @returns the push with the receiver's answer or the error
	 * @throws Error without a URL to send it to
	 */
	sendSmsReply(reply: PushedReply, overrides?: SmsPushOverrides): Promise<SentNotification>;
	/** Resolves when no call result and no answer is due. */
	idle(): Promise<void>;
}

/** A running simulator of the service. */
export interface Simulator extends SimulatorControl {
	/** Base URL for a client, `https://localhost:PORT` and the base path. */
	readonly url: string;
	/** Address of the page that shows all requests. */
	readonly consoleUrl: string;
	/** The file a client must trust, through NODE_EXTRA_CA_CERTS. */
	readonly caFile: string;
	/** The same certificate as PEM. */
	readonly ca: string;
	/** Closes everything at once. */
	stop(): Promise<void>;
}

/** The default result of a call, if a test sends one: somebody picked up. */
const PICKED_UP: PlannedResult = { when: 0, state: '0', duration: '30' };

function initialSettings(options: SimulatorOptions): Settings {
	const given = Object.entries(options).filter(
		([name, value]) => name in DEFAULT_SETTINGS && value !== undefined,
	);
	return { ...DEFAULT_SETTINGS, ...Object.fromEntries(given) };
}

/** The state of the service, and what acts on it, without the servers. */
function createCore(options: SimulatorOptions, ca: string) {
	const now = options.now ?? Date.now;
	let account = createAccount(options.account);
	const ids = createIdMaker();
	let subAccounts = createSubAccountStore(ids, now);

	let settings = initialSettings(options);
	const recorder = createRecorder(() => settings.recordLimit);
	const faults = createFaults();
	const plans = new Map<string, readonly PlannedResult[]>();
	const planFor = (to: string, delayMs: number): readonly PlannedResult[] =>
		plans.get(to) ?? planResults(to, delayMs);
	const tasks = createTasks();

	const notify = async (
		told: { readonly about: string; readonly callSid?: string; readonly url: string },
		written: { readonly contentType: string; readonly body: string | Buffer },
		isChecked = settings.checkAcknowledgements,
	): Promise<SentNotification> => {
		const notification = recorder.notification({
			...told,
			at: new Date(now()).toISOString(),
			contentType: written.contentType,
			body: written.body.toString(),
			violations: [],
		});
		try {
			const { callResultPatienceMs: patienceMs } = settings;
			const signal = tasks.signal();
			const answer = await deliver({ url: told.url, ...written, ca, signal, patienceMs });
			recorder.updateNotification(notification, {
				answer,
				violations: isChecked ? checkAcknowledgement(answer) : [],
			});
		} catch (error) {
			recorder.updateNotification(notification, {
				error: getMessage(error),
			});
		}
		return notification;
	};

	const sendResult = async (
		call: Partial<AcceptedCall> & { readonly callSid: string },
		planned: PlannedResult,
		overrides: CallResultOverrides = {},
	): Promise<SentNotification> => {
		const { callSid } = call;
		const url = overrides.url ?? call.respUrl;
		if (url === undefined) throw new Error(`There is no respUrl for the call ${callSid}`);
		const written = writeCallResult(call, planned, now(), overrides, settings.pushForm);
		const told = { about: `result of call ${callSid}`, callSid, url };
		return await notify(told, written, overrides.expectAcknowledgement);
	};

	const pushUrl = (overrides: SmsPushOverrides): string => {
		const url = overrides.url ?? settings.smsPushUrl;
		if (url === '') throw new Error('No address for pushes about SMS is set');
		return url;
	};

	const findMessage = (smsMessageSid: string): (AcceptedMessage & { reqId?: string }) | undefined =>
		recorder.record.accepted.find(
			(one): one is AcceptedMessage =>
				one.kind === 'message' && one.smsMessageSid === smsMessageSid,
		);

	const control: SimulatorControl = {
		credentials: getCredentials(account),
		record: recorder.record,
		violations: recorder.violations,
		accepted: () => recorder.record.accepted,
		changesSince: recorder.changesSince,
		reset: () => {
			tasks.clear();
			recorder.clear();
			faults.clear();
			plans.clear();
			account = createAccount(options.account);
			subAccounts = createSubAccountStore(ids, now);
			settings = initialSettings(options);
		},
		settings: () => settings,
		configure: (changes) => {
			settings = { ...settings, ...changes };
		},
		account: () => account,
		changeAccount: (changes) => {
			account = { ...account, ...changes };
		},
		setLatency: (latencyMs) => control.configure({ latencyMs }),
		seedSubAccounts: (count) => seedSubAccounts(subAccounts, getCredentials(account).appId, count),
		fail: faults.add,
		faults: faults.list,
		planCalls: (number, results) => {
			if (results) plans.set(number, results);
			else plans.delete(number);
		},
		sendCallResult: async (callSid, overrides) => {
			const call = recorder.record.accepted.find(
				(one): one is AcceptedCall => one.kind === 'call' && one.callSid === callSid,
			);
			const [planned = PICKED_UP] = call ? planFor(call.to, 0) : [];
			return await sendResult(call ?? { callSid }, planned, overrides);
		},
		sendSmsReport: async (smsMessageSid, overrides = {}) => {
			const message = findMessage(smsMessageSid);
			const told = {
				smsMessageSid,
				number: overrides.number ?? message?.to[0] ?? '',
				reqId: message?.reqId,
				sentAt: message ? Date.parse(message.at) : now(),
			};
			const about = `report on SMS ${smsMessageSid}`;
			const written = writeSmsReport(told, now(), overrides, settings.pushForm);
			return await notify(
				{ about, url: pushUrl(overrides) },
				written,
				overrides.expectAcknowledgement,
			);
		},
		sendSmsReply: async (reply, overrides = {}) =>
			await notify(
				{ about: `reply from ${reply.number}`, url: pushUrl(overrides) },
				writeSmsReply(reply, now(), overrides, settings.pushForm),
				overrides.expectAcknowledgement,
			),
		idle: tasks.idle,
	};

	return {
		control,
		recorder,
		tasks,
		exchange: {
			basePath: options.basePath ?? '',
			settings: control.settings,
			now,
			findAccount: (accountSid: string) =>
				accountSid === account.accountSid ? account : undefined,
			findSubAccount: (subAccountSid: string) => subAccounts.bySid(subAccountSid),
			stoppedCode: () => findStatusRefusal(account),
			service: {
				ids,
				now,
				settings: control.settings,
				subAccounts: () => subAccounts,
				accepted: () => recorder.record.accepted,
				planFor: (to: string) => planFor(to, settings.callResultDelayMs),
			},
			recorder,
			faults,
			tasks,
			planFor: (to: string) => planFor(to, settings.callResultDelayMs),
			sendResult: async (call: AcceptedCall, planned: PlannedResult) => {
				await sendResult(call, planned);
			},
		},
	};
}

/**
 * Starts the whole service over TLS, as the specification describes it.
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const { port = 0, host = '127.0.0.1', consolePort, caFolder, basePath = '' } = options;
	const { certificateDefect } = options;
	const authority = await ensureCertificateAuthority(caFolder);
	const core = createCore(options, authority.certificate);
	const showConsole = createConsole(core.control);

	const service = createServiceServer(
		await makeServerCertificate(authority, certificateDefect),
		(request, response, body) => {
			if (!showConsole(request, response, body)) exchange(request, response, body);
		},
		core.recorder.connectionViolation,
	);
	const exchange = createExchange({ ...core.exchange, reset: service.reset });

	const sockets = new Set<Socket>();
	const watch = (server: Server): Server =>
		server.on('connection', (socket: Socket) => {
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
		});
	const servers = [watch(service.server)];
	const boundPort = await listen(service.server, port, host);
	const origin = `https://localhost:${boundPort}`;
	let consoleUrl = `${origin}/`;
	if (consolePort !== undefined) {
		const plain = watch(
			createHttpServer(
				collectBody((request, response, body) => {
					if (!showConsole(request, response, body)) response.writeHead(404).end();
				}),
			),
		);
		servers.push(plain);
		consoleUrl = `http://localhost:${await listen(plain, consolePort, host)}/`;
	}

	return {
		...core.control,
		url: `${origin}${basePath}`,
		consoleUrl,
		caFile: authority.file,
		ca: authority.certificate,
		stop: async () => {
			core.tasks.clear();
			const closed = servers.map(close);
			for (const socket of sockets) socket.destroy();
			await Promise.all(closed);
		},
	};
}

/**
 * What clients did wrong, for tests to demand none of it. Left out are a wrong token, which no test
 * overlooks since everything is refused then, how receivers of call results answered, and names
 * beyond letters and digits, which are the user's own and taken in practice.
 */
export const requestViolations = (simulator: SimulatorControl): LocatedViolation[] =>
	simulator
		.violations()
		.filter(({ rule }) => !['signature', 'acknowledgement', 'friendlyName'].includes(rule));

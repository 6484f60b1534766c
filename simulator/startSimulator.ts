import { CREDENTIALS } from './accounts';
import { ensureCertificateAuthority, makeServerCertificate } from './certificate';
import { exchange } from './exchange';
import { Faults, type Fault, type FaultRule } from './faults';
import { Tasks } from './pendingTasks';
import { Recorder, type Acceptance, type LocatedViolation } from './record';
import { Sender } from './sender';
import { createServiceServer } from './server';
import { DEFAULT_SETTINGS, type ServiceState, type Settings } from './state';
import { seedSubAccounts } from './subAccounts';

/** How to start a simulator; every setting can be given here too. */
export interface SimulatorOptions extends Partial<Settings> {
	/** The clock, milliseconds since 1970 UTC (default `Date.now`). */
	readonly now?: () => number;
	/** Port of the service; 0 (the default) takes any free one. */
	readonly port?: number;
	/** Where the certificate authority is kept (default `.cache/simulator-ca`). */
	readonly caFolder?: string;
	/** Whether the server's certificate has expired. */
	readonly hasExpiredCertificate?: boolean;
	/** Is given a line for each request and each result that has ended (default: nobody is told). */
	readonly tell?: (line: string) => void;
}

/** A running simulator of the service. */
export interface Simulator
	extends Pick<Recorder, 'record' | 'violations'>, Pick<Sender, 'sendCallResult' | 'sendSmsReply'> {
	/** Base URL for a client, `https://localhost:PORT` and the base path. */
	readonly url: string;
	/** The file a client must trust, through NODE_EXTRA_CA_CERTS. */
	readonly caFile: string;
	/** What a client needs. */
	readonly credentials: typeof CREDENTIALS;
	/** Every accepted call, SMS and sub-account. */
	accepted(): readonly Acceptance[];
	/** Back to the state right after the start: record, faults, settings, sub-accounts. */
	reset(): void;
	configure(changes: Partial<Settings>): void;
	/** Gives the live application so many sub-accounts. */
	seedSubAccounts(count: number): void;
	/** Injects a fault. */
	fail(rule: FaultRule): Fault;
	/** Closes everything at once. */
	stop(): Promise<void>;
}

/**
 * Starts the whole service over TLS, as the specification describes it.
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const { port = 0, caFolder, hasExpiredCertificate, tell, now = Date.now, ...settings } = options;
	const begin = () => ({ settings: { ...DEFAULT_SETTINGS, ...settings }, subAccounts: [] });
	const state: ServiceState = { now, ...begin() };
	const recorder = new Recorder(tell);
	const tasks = new Tasks();
	const faults = new Faults();
	const sender = new Sender(state, recorder, tasks);

	const authority = await ensureCertificateAuthority(caFolder);
	const service = createServiceServer(
		await makeServerCertificate(authority, hasExpiredCertificate),
		(complete) => void exchange(complete, { state, recorder, faults, tasks, sender }),
		(violation) => recorder.addConnectionViolation(violation),
	);
	return {
		url: `https://localhost:${await service.listen(port)}`,
		caFile: authority.file,
		credentials: CREDENTIALS,
		record: recorder.record,
		violations: () => recorder.violations(),
		accepted: () => recorder.record.accepted,
		reset: () => {
			for (const part of [tasks, recorder, faults]) part.clear();
			Object.assign(state, begin());
		},
		configure: (changes) => {
			state.settings = { ...state.settings, ...changes };
		},
		seedSubAccounts: (count) => {
			state.subAccounts = seedSubAccounts(count, now());
		},
		fail: (rule) => faults.add(rule),
		sendCallResult: sender.sendCallResult.bind(sender),
		sendSmsReply: sender.sendSmsReply.bind(sender),
		stop: async () => {
			tasks.clear();
			await service.close();
		},
	};
}

/**
 * What clients did wrong; tests demand that there is nothing. Left out are a wrong token, which no test
 * can miss since everything is refused then, and the answers of those who get call results.
 */
export const requestViolations = (simulator: Simulator): LocatedViolation[] =>
	simulator.violations().filter(({ rule }) => rule !== 'signature' && rule !== 'acknowledgement');

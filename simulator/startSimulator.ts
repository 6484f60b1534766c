import { getCredentials, type AccountCredentials } from './accounts';
import {
	ensureCertificateAuthority,
	makeServerCertificate,
	type CertificateDefect,
} from './certificate';
import { createExchange } from './exchange';
import { Faults, type Fault, type FaultRule } from './faults';
import { Tasks } from './pendingTasks';
import { Recorder, type Acceptance, type LocatedViolation } from './record';
import { Sender } from './sender';
import { createServiceServer, listen } from './server';
import { createState, type ServiceOptions, type Settings } from './state';
import { seedSubAccounts } from './subAccountStore';

/** How to start a simulator; every setting can be given here too. */
export interface SimulatorOptions extends ServiceOptions {
	/** Port of the service; 0 (the default) takes any free one. */
	readonly port?: number;
	/** Where the certificate authority is kept (default `.cache/simulator-ca`). */
	readonly caFolder?: string;
	/** What is wrong with the server's certificate (default nothing). */
	readonly certificateDefect?: CertificateDefect;
	/** Is given a line for each request and each result that has ended (default: nobody is told). */
	readonly tell?: (line: string) => void;
}

/** A running simulator of the service. */
export interface Simulator
	extends
		Pick<Recorder, 'record' | 'violations'>,
		Pick<Sender, 'sendCallResult' | 'sendSmsReply'>,
		Pick<Tasks, 'idle'> {
	/** Base URL for a client, `https://localhost:PORT` and the base path. */
	readonly url: string;
	/** The file a client must trust, through NODE_EXTRA_CA_CERTS. */
	readonly caFile: string;
	/** What a client needs. */
	readonly credentials: AccountCredentials;
	/** Every accepted call, SMS and sub-account. */
	accepted(): readonly Acceptance[];
	/** Back to the state right after the start: record, faults, settings, sub-accounts. */
	reset(): void;
	configure(changes: Partial<Settings>): void;
	/** Adds sub-accounts to the live application, and gives their ids. */
	seedSubAccounts(count: number): string[];
	/** Injects a fault. */
	fail(rule: FaultRule): Fault;
	/** Closes everything at once. */
	stop(): Promise<void>;
}

/** The parts of a simulator, without the server. */
function createParts(options: SimulatorOptions, ca: string) {
	const state = createState(options);
	const recorder = new Recorder(options.tell);
	const tasks = new Tasks();
	const sender = new Sender(state, recorder, tasks, ca);
	return { state, recorder, faults: new Faults(), tasks, sender };
}

/** What acts on the parts of a simulator. */
function createControl({ state, recorder, faults, tasks, sender }: ReturnType<typeof createParts>) {
	return {
		credentials: getCredentials(state.account),
		record: recorder.record,
		violations: () => recorder.violations(),
		accepted: () => recorder.record.accepted,
		reset: () => {
			for (const part of [tasks, recorder, faults]) part.clear();
			state.reset();
		},
		configure: (changes: Partial<Settings>) => {
			state.settings = { ...state.settings, ...changes };
		},
		seedSubAccounts: (count: number) =>
			seedSubAccounts(state.subAccounts, getCredentials(state.account).appId, count),
		fail: (rule: FaultRule) => faults.add(rule),
		sendCallResult: sender.sendCallResult.bind(sender),
		sendSmsReply: sender.sendSmsReply.bind(sender),
		idle: async () => await tasks.idle(),
	};
}

/**
 * Starts the whole service over TLS, as the specification describes it.
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const { port = 0, caFolder, certificateDefect } = options;
	const authority = await ensureCertificateAuthority(caFolder);
	const parts = createParts(options, authority.certificate);
	const service = createServiceServer(
		await makeServerCertificate(authority, certificateDefect),
		(...complete) => exchange(...complete),
		(violation) => parts.recorder.connectionViolation(violation),
	);
	const exchange = createExchange({ ...parts, reset: service.reset });
	return {
		...createControl(parts),
		url: `https://localhost:${await listen(service.server, port)}`,
		caFile: authority.file,
		stop: async () => {
			parts.tasks.clear();
			await service.close();
		},
	};
}

/**
 * What clients did wrong, for tests to demand none of it. Left out are a wrong token, which no test
 * overlooks since everything is refused then, and how receivers of call results answered.
 */
export const requestViolations = (simulator: Simulator): LocatedViolation[] =>
	simulator.violations().filter(({ rule }) => rule !== 'signature' && rule !== 'acknowledgement');

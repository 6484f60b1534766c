import {
	requestViolations,
	startSimulator,
	type Simulator,
	type SimulatorOptions,
} from '../../simulator/index';
import { installN8n } from './install';
import { findTarball } from './pack';
import { startN8n, type RunningN8n, type StartOptions } from './startN8n';
import { newestSupported, oldestSupported } from './versions';

/** A stored credential, as a node refers to it. */
export interface StoredCredential {
	id: string;
	name: string;
}

/** An n8n under test, and the service it talks to. */
export interface Setup {
	n8n: RunningN8n;
	simulator: Simulator;
	/** A credential with the simulator's default account. */
	credential: StoredCredential;
}

/** Something that was started. */
export interface Stoppable {
	stop(): Promise<void>;
}

/** Name of the credential type. */
export const CREDENTIAL_TYPE = 'yuntongxunApi';

/** How long a Jest hook that installs and starts n8n may take. */
export const START_LIMIT_MS = 20 * 60_000;

/**
 * Versions to run on: that of this Jest project; those in `N8N_VERSIONS`, separated by commas; or else
 * these.
 *
 * @param otherwise the oldest and the newest supported, unless given
 */
export function versionsToTest(otherwise = [oldestSupported, newestSupported]): string[] {
	const { N8N_VERSION: ofProject } = globalThis as { N8N_VERSION?: string };
	const given = ofProject ?? process.env.N8N_VERSIONS;
	return given ? given.split(',') : otherwise;
}

/**
 * Declares the same tests for every n8n version, each with an n8n and a simulator of its own that
 * run from before the first test until after the last. A test fails if a request broke a rule of
 * the service.
 *
 * @param subject what the tests are about
 * @param declare called once a version; the setup is there when the tests run
 */
export function describeOnEachN8n(
	subject: string,
	declare: (setup: () => Setup, version: string) => void,
	options: SetupOptions = {},
): void {
	describe.each(versionsToTest())(`${subject} on n8n %s`, (version) => {
		let setup: Setup & Stoppable;
		beforeAll(async () => {
			setup = await startSetup(version, options);
		}, START_LIMIT_MS);
		afterEach(() => expect(requestViolations(setup.simulator)).toEqual([]));
		afterAll(async () => await setup?.stop());
		declare(() => setup, version);
	});
}

/** What a credential of the simulator's accounts holds. */
export const credentialData = (
	{ credentials, url }: Simulator,
	changes: Partial<
		Record<'accountSid' | 'authToken' | 'appId' | 'baseUrl' | 'wireFormat', string>
	> = {},
): Record<string, string> => ({ ...credentials, baseUrl: url, ...changes });

/** Stores a credential of the simulator's default account, with the given changes. */
export async function storeCredential(
	{ n8n, simulator }: Pick<Setup, 'n8n' | 'simulator'>,
	name = 'The simulator',
	changes: Parameters<typeof credentialData>[1] = {},
): Promise<StoredCredential> {
	const data = credentialData(simulator, changes);
	return { id: await n8n.rest.createCredential(CREDENTIAL_TYPE, name, data), name };
}

/** How a setup differs from that of most tests. */
interface SetupOptions extends Pick<StartOptions, 'env' | 'install'> {
	/** The package to install, unless it is the one that all tests share. */
	tarball?: string;
	service?: SimulatorOptions;
}

/** Starts a simulator and an n8n that has its credential. */
export async function startSetup(
	version: string,
	{ tarball, service, ...options }: SetupOptions = {},
): Promise<Setup & Stoppable> {
	const installed = await installN8n(version);
	const found = tarball ?? (await findTarball());
	const simulator = await startSimulator(service);
	const { caFile } = simulator;
	let n8n: RunningN8n | undefined;
	const stop = async () => {
		await n8n?.stop();
		await simulator.stop();
	};
	try {
		n8n = await startN8n({ ...options, n8n: installed, tarball: found, caFile });
		return { n8n, simulator, credential: await storeCredential({ n8n, simulator }), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

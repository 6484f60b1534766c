import {
	requestViolations,
	startSimulator,
	type Simulator,
	type SimulatorOptions,
} from '../../simulator/index';
import { installN8n } from './installN8n';
import { findTarball } from './pack';
import { Progress } from './progress';
import { startN8n, type RunningN8n, type StartOptions } from './startN8n';
import { newestSupported, oldestSupported } from './versions';

/** A stored credential, as a node refers to it. */
export interface StoredCredential {
	id: string;
	name: string;
}

/** What the tests of one n8n version share: that n8n, and the service it talks to. */
export interface World {
	n8n: RunningN8n;
	simulator: Simulator;
	/** A credential with the simulator's default account. */
	credential: StoredCredential;
	stop(): Promise<void>;
}

/** Name of the credential type. */
export const CREDENTIAL_TYPE = 'yuntongxunApi';

const INSTALL_LIMIT_MS = 20 * 60_000;

/**
 * Versions to run on: the one of this project of Jest; `N8N_VERSIONS`, separated by commas; or else
 * these.
 *
 * @param otherwise the oldest and the newest supported, unless given
 */
export function versionsToTest(otherwise = [oldestSupported, newestSupported]): string[] {
	const { N8N_VERSION: ofProject } = globalThis as { N8N_VERSION?: string };
	const given = ofProject ?? process.env.N8N_VERSIONS;
	return given ? given.split(',').map((each) => each.trim()) : otherwise;
}

/**
 * Declares the same tests for every n8n version, each with an n8n and a simulator of its own that
 * run from before the first test until after the last. A test fails if a request broke a rule of
 * the service.
 *
 * @param subject what the tests are about
 * @param declare called once a version; the world is there when the tests run
 * @param options of each world
 */
export function describeOnEachN8n(
	subject: string,
	declare: (world: () => World, version: string) => void,
	options: WorldOptions = {},
): void {
	describe.each(versionsToTest())(`${subject} on n8n %s`, (version) => {
		let world: World | undefined;
		beforeAll(async () => {
			world = await openWorld(version, options);
		}, INSTALL_LIMIT_MS);
		afterEach(() => expect(world ? requestViolations(world.simulator) : []).toEqual([]));
		afterAll(async () => await world?.stop());
		declare(() => {
			if (!world) throw new Error('There is no n8n: it did not start');
			return world;
		}, version);
	});
}

/** What a credential of the simulator's accounts holds. */
export function credentialData(
	simulator: Simulator,
	changes: Partial<
		Record<'accountSid' | 'authToken' | 'appId' | 'baseUrl' | 'wireFormat', string>
	> = {},
): Record<string, string> {
	return { ...simulator.credentials, baseUrl: simulator.url, ...changes };
}

/** Stores a credential of the simulator's default account, but for what is changed. */
export async function storeCredential(
	{ n8n, simulator }: Pick<World, 'n8n' | 'simulator'>,
	name = 'The simulator',
	changes: Parameters<typeof credentialData>[1] = {},
): Promise<StoredCredential> {
	const data = credentialData(simulator, changes);
	return { id: await n8n.rest.createCredential(CREDENTIAL_TYPE, name, data), name };
}

/** How a world differs from that of most tests. */
interface WorldOptions extends Pick<StartOptions, 'env' | 'install'> {
	/** The package to install, unless it is the one that all tests share. */
	tarball?: string;
	service?: SimulatorOptions;
}

/** Starts a simulator and an n8n that has its credential. */
export async function openWorld(
	version: string,
	{ tarball, service, ...options }: WorldOptions = {},
): Promise<World> {
	const installed = await installN8n(version, new Progress(process.stderr));
	const found = tarball ?? (await findTarball());
	const simulator = await startSimulator(service);
	try {
		const { caFile } = simulator;
		const n8n = await startN8n({ ...options, n8n: installed, tarball: found, caFile });
		return {
			n8n,
			simulator,
			credential: await storeCredential({ n8n, simulator }),
			stop: async () => {
				await n8n.stop();
				await simulator.stop();
			},
		};
	} catch (error) {
		await simulator.stop();
		throw error;
	}
}

import { existsSync, readFileSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';

import { requestViolations, startSimulator } from '../../simulator/index';
import type { Simulator, SimulatorOptions } from '../../simulator/index';
import { runNode } from './engine';
import type { NodeTest, DecryptedCredential } from './engine';

/** How one run of the node differs from a run by hand with one empty item. */
interface RunOptions extends Omit<NodeTest, 'parameters' | 'credential'> {
	/** Changes of the credential. */
	account?: DecryptedCredential;
}

const WITHOUT_CA =
	"Node.js does not trust the simulator's certificate. Start these tests with: npm test -- <part of a path>";

/** Whether this process was started to trust a certificate, in this folder or in one it was copied to. */
function isTrusted(caFile: string): boolean {
	const { NODE_EXTRA_CA_CERTS: trusted = '' } = process.env;
	return existsSync(trusted) && readFileSync(trusted, 'utf8') === readFileSync(caFile, 'utf8');
}

/**
 * Starts a simulator for the tests of a file, and stops it after them. A test fails if a request
 * broke a rule of the service; how receivers must acknowledge is up to the tests about that.
 */
export function useSimulator(options: SimulatorOptions = {}) {
	let running: Simulator | undefined;
	const simulator = (): Simulator => {
		if (!running) throw new Error('The simulator runs during tests only');
		return running;
	};
	beforeAll(async () => {
		running = await startSimulator(options);
		if (!isTrusted(running.caFile)) throw new Error(WITHOUT_CA);
	});
	beforeEach(() => simulator().reset());
	afterEach(() => expect(requestViolations(simulator())).toEqual([]));
	afterAll(async () => await running?.stop());
	const credential = (changes: DecryptedCredential = {}): DecryptedCredential => ({
		...simulator().credentials,
		baseUrl: simulator().url,
		softVersion: '2013-12-26',
		...changes,
	});
	return {
		/** Only within a test or a hook. */
		get simulator() {
			return simulator();
		},
		/** A credential for its default account, with changes. */
		credential,
		/** Runs the node once. */
		run: async (parameters: INodeParameters, { account, ...options }: RunOptions = {}) =>
			await runNode({ ...options, parameters, credential: credential(account) }),
	};
}

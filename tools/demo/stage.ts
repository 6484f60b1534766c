import { basename } from 'node:path';
import { startSimulator, type Simulator } from '../../simulator/index';
import { installN8n } from '../../test/harness/installN8n';
import { DEFAULT_LANGUAGE, findTarball, packTarball } from '../../test/harness/pack';
import { Progress, tellElapsed } from '../../test/harness/progress';
import { startN8n, type RunningN8n } from '../../test/harness/startN8n';
import {
	CREDENTIAL_TYPE,
	credentialData,
	storeCredential,
	type StoredCredential,
} from '../../test/harness/world';

/** Tells the demo's story, one numbered line a step. */
export class Narrator {
	/** Shows the progress of a long step. */
	readonly progress = new Progress(process.stdout);
	private steps = 0;

	/** A line without a number. */
	say(text: string): void {
		this.progress.say(text);
	}

	/**
	 * Does a step and tells how it ended.
	 *
	 * @param doing shown while the step runs
	 * @param tell gives the line about the result; further lines are indented below it
	 */
	async step<T>(doing: string, work: () => Promise<T>, tell: (result: T) => string): Promise<T> {
		const since = Date.now();
		this.progress.begin(doing);
		const result = await work().finally(() => this.progress.end());
		const [first, ...others] = tell(result).split('\n');
		this.steps++;
		this.say(`${String(this.steps).padStart(2)}. ${first} (${tellElapsed(since)})`);
		for (const line of others) this.say(`    ${line}`);
		return result;
	}
}

/** Everything that the story needs. */
export interface Stage {
	n8n: RunningN8n;
	simulator: Simulator;
	credential: StoredCredential;
}

const USUAL_PORT = 5678;

/**
 * Finds n8n, builds and packs the package, and starts the service's simulator and a real n8n with it.
 *
 * @param onStarted called with each thing to stop in the end
 * @throws InstallFailed, CommandFailed, or Error where something does not start
 */
export async function setStage(
	{ n8n: version, language }: Readonly<Record<'n8n' | 'language', string>>,
	narrator: Narrator,
	onStarted: (thing: { stop(): Promise<void> }) => void,
): Promise<Stage> {
	const installed = await narrator.step(
		`Look for n8n ${version}`,
		() => installN8n(version, narrator.progress),
		(n8n) => `A real n8n is at hand: ${n8n.version} on Node.js ${n8n.runtime.version}`,
	);
	const tarball = await narrator.step(
		'Build and pack the package',
		() => (language === DEFAULT_LANGUAGE ? findTarball() : packTarball(language)),
		(path) => `The package is built and packed: ${basename(path)}`,
	);
	const simulator = await narrator.step(
		'Start the simulator of the Yuntongxun service',
		() => startSimulator({ tell: (line) => narrator.say(`    ${line}`) }),
		({ url }) => `A simulator of the Yuntongxun service listens at ${url}; nobody is really called`,
	);
	onStarted(simulator);

	const n8n = await narrator.step(
		`Start n8n ${installed.version} with the package installed`,
		() =>
			startN8n({ n8n: installed, tarball, caFile: simulator.caFile, preferredPort: USUAL_PORT }),
		({ url }) => `n8n has started with the package installed, at ${url}`,
	);
	onStarted(n8n);

	const credential = await narrator.step(
		'Create the credential and test it',
		() => createCredential(n8n, simulator),
		({ name, verdict }) =>
			`The credential "${name}" is stored, and n8n's own test of it says: ${verdict}`,
	);
	return { n8n, simulator, credential };
}

async function createCredential(
	n8n: RunningN8n,
	simulator: Simulator,
): Promise<StoredCredential & { verdict: string }> {
	const stored = await storeCredential({ n8n, simulator }, 'Yuntongxun (simulator)');
	const data = credentialData(simulator);
	const { id, name } = stored;
	const { status, message } = await n8n.rest.testCredential(id, CREDENTIAL_TYPE, name, data);
	if (status !== 'OK') throw new Error(`n8n's test of the credential says: ${message}`);
	return { ...stored, verdict: message };
}

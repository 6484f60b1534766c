import { realpath } from 'node:fs/promises';
import type { InstalledN8n } from '../../test/harness/installN8n';
import { describeRuntime } from '../../test/harness/nodeRuntime';
import { runCommand } from '../../test/harness/processes';

/**
 * An n8n that is there already, to be run with this process's own Node.js.
 *
 * @param given path of its command-line program, as `which n8n` prints it
 * @throws Error if there is none, or it does not run on this Node.js
 */
export async function findOwnN8n(given: string): Promise<InstalledN8n> {
	const runtime = await describeRuntime(process.execPath);
	try {
		const program = await realpath(given);
		const said = await runCommand(runtime.node, [program, '--version'], { env: runtime.env });
		const [version] = /\d+\.\d+\.\d+/.exec(said) ?? [];
		if (version === undefined) throw new Error(said);
		return { version, program, runtime };
	} catch (error) {
		const words = (error as Error).message;
		throw new Error(`N8N_BIN is no n8n that Node.js ${runtime.version} runs: ${given}\n${words}`);
	}
}

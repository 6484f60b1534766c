/**
 * Shows the package at work in a real n8n, against a simulator of the service:
 *
 *     npm run demo [-- --once] [--n8n 1.123.0] [--language zh-CN]
 *
 * Leaves the editor open until Ctrl-C, unless it plays `--once`; then the exit code is 0 if all went well.
 */
import { parseArgs } from 'node:util';
import { DEFAULT_LANGUAGE, findTarball, packTarball } from '../../test/harness/pack';
import { startSetup, type Setup, type Stoppable } from '../../test/harness/setup';
import { demoLogin } from '../../test/harness/startN8n';
import { newestSupported } from '../../test/harness/versions';
import { playStory } from './story';

const OPTIONS = {
	once: { type: 'boolean', default: false },
	n8n: { type: 'string', default: newestSupported },
	language: { type: 'string', default: DEFAULT_LANGUAGE },
} as const;

/** Exit code of a program that Ctrl-C ended early. */
const INTERRUPTED = 130;

const say = (text: string): void => console.log(text);

async function open(version: string, language: string): Promise<Setup & Stoppable> {
	say(` 0. Packing the package, and starting n8n ${version} with it`);
	const tarball = await (language === DEFAULT_LANGUAGE ? findTarball() : packTarball(language));
	const service = { tell: (line: string) => say(`     ${line}`) };
	return await startSetup(version, { tarball, service });
}

async function main(): Promise<number> {
	const { values: options } = parseArgs({ options: OPTIONS });
	const interruption = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			// Not once: Ctrl-C arrives twice, from the terminal and from the program that started this one.
			process.on(signal, () => resolve('interrupted'));
		}
	});
	const opened: Stoppable[] = [];
	const play = async (): Promise<Setup> => {
		const setup = await open(options.n8n, options.language);
		opened.push(setup);
		await playStory(setup, say);
		return setup;
	};
	try {
		say('A call that nobody answers becomes an SMS, in a real n8n:\n');
		const outcome = await Promise.race([play(), interruption]);
		if (outcome === 'interrupted') return INTERRUPTED;
		say('\nAll of it happened: the call, its result, and the SMS.');
		if (!options.once) {
			say(describeEditor(outcome));
			await interruption;
		}
		return 0;
	} catch (error) {
		say(`\nThe demo stopped here: ${(error as Error).message}`);
		return 1;
	} finally {
		await Promise.all(opened.map(async (each) => await each.stop()));
	}
}

const describeEditor = ({ n8n: { url } }: Setup): string => `
Look at it in the editor:   ${url}
log in with                 ${demoLogin.email}  /  ${demoLogin.password}
The forms, as n8n has them: ${url}/types/nodes.json
What the service sees stands below. Press Ctrl-C to end; nothing stays behind.
`;

void main().then((exitCode) => process.exit(exitCode));

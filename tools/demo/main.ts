import { parseArgs } from 'node:util';
import { DEFAULT_LANGUAGE } from '../../test/harness/pack';
import { demoLogin } from '../../test/harness/startN8n';
import { newestSupported, oldestSupported } from '../../test/harness/versions';
import { Narrator, setStage, type Stage } from './stage';
import { playStory } from './story';

const USAGE = `Shows the package at work in a real n8n, against a simulator of the service.

  npm run demo                       leaves the editor open until you press Ctrl-C
  npm run demo -- --once             ends by itself; the exit code is 0 if all went well
  npm run demo -- --n8n ${oldestSupported}      on another n8n version (default ${newestSupported})
  npm run demo -- --language zh-CN   with Chinese forms
`;

const OPTIONS = {
	once: { type: 'boolean', default: false },
	n8n: { type: 'string', default: newestSupported },
	language: { type: 'string', default: DEFAULT_LANGUAGE },
	help: { type: 'boolean', default: false },
} as const;

/** Exit code of a program that Ctrl-C ended early. */
const INTERRUPTED = 130;

async function main(): Promise<number> {
	const { values: options } = parseArgs({ options: OPTIONS });
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	const narrator = new Narrator();
	const running: Array<{ stop(): Promise<void> }> = [];
	const interrupt = interruption();
	try {
		narrator.say('A call that nobody answers becomes an SMS, in a real n8n:\n');
		const demo = setStage(options, narrator, (thing) => running.push(thing)).then(async (stage) => {
			await playStory(stage, narrator);
			return stage;
		});
		const outcome = await Promise.race([demo, interrupt]);
		if (outcome === 'interrupted') {
			narrator.progress.end();
			narrator.say('\nStopped before the end; nothing stays behind.');
			return INTERRUPTED;
		}
		narrator.say('\nAll of it happened: the call, its result, and the SMS.\n');
		if (!options.once) {
			narrator.say(invitation(outcome));
			await interrupt;
		}
		return 0;
	} catch (error) {
		narrator.say(`\nThe demo stopped here: ${(error as Error).message}\n`);
		return 1;
	} finally {
		await Promise.all(running.map((thing) => thing.stop()));
	}
}

function interruption(): Promise<'interrupted'> {
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			// Not once: Ctrl-C arrives twice, from the terminal and from the program that started this one.
			process.on(signal, () => resolve('interrupted'));
		}
	});
}

function invitation({ n8n }: Stage): string {
	return [
		`Look at it in the editor:   ${n8n.url}`,
		`log in with                 ${demoLogin.email}  /  ${demoLogin.password}`,
		`The forms, as n8n has them: ${n8n.url}/types/nodes.json`,
		'What the service sees stands below.',
		'Press Ctrl-C to end; nothing stays behind.',
	].join('\n');
}

main()
	.catch((error: Error) => {
		console.error(error.message);
		return 1;
	})
	.then((exitCode) => process.exit(exitCode));

import { runCommand } from '../harness/processes';
import { newestSupported } from '../harness/versions';
import { versionsToTest } from '../harness/world';

const DEMO_LIMIT_MS = 5 * 60_000;

// Its example runs on the other versions in examples.test.ts.
const [version] = versionsToTest();

(version === newestSupported ? describe : describe.skip)(`The demo on n8n ${version}`, () => {
	test(
		'places a call, gets its result, and sends an SMS because nobody answered',
		async () => {
			const told = await runCommand('npm', [
				'run',
				'--silent',
				'demo',
				'--',
				'--once',
				'--n8n',
				version,
			]);
			expect(told).toMatch(/filled in: the credential, template 100002/);
			expect(told).toMatch(/being called/);
			expect(told).toMatch(/outcome noAnswer, answered false/);
			expect(told).toMatch(/an SMS went to 13800000001/);
			expect(told).toMatch(/no violation/);
		},
		DEMO_LIMIT_MS,
	);
});

import { runCommand } from '../harness/processes';
import { versionsToTest } from '../harness/setup';
import { newestSupported } from '../harness/versions';

// Its example runs on the other versions in examples.test.ts.
const [version] = versionsToTest();
const testNewest = version === newestSupported ? test : test.skip;

testNewest(
	'The demo places a call, gets its result, and sends an SMS because nobody answered',
	async () => {
		const told = await runCommand('npm', ['run', '--silent', 'demo', '--', '--once']);
		expect(told).toMatch(/filled in: the credential, template 100002/);
		expect(told).toMatch(/being called/);
		expect(told).toMatch(/outcome noAnswer, answered false/);
		expect(told).toMatch(/an SMS went to 13800000001/);
		expect(told).toMatch(/no violation/);
	},
	5 * 60_000,
);

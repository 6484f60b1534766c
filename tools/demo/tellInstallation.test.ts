import { silent } from '../../test/harness/progress';
import { tellInstallation } from './tellInstallation';

/** Waits until something was said that fits. */
async function awaitWords(said: readonly string[], words: RegExp): Promise<void> {
	while (!said.some((line) => words.test(line))) await new Promise(setImmediate);
}

test('says once what npm will fetch, before it does, and then how much has come', async () => {
	const said: string[] = [];
	const shown = {
		...silent,
		begin: (step: string) => said.push(`> ${step}`),
		say: (text: string) => said.push(text),
	};
	let free = 10e9;
	const progress = tellInstallation(
		{ ...shown, begin: (step) => void shown.begin(step), say: (text) => void shown.say(text) },
		'2.41.1',
		() => Promise.resolve(free),
		1,
	);
	progress.begin('Look for n8n');
	expect(said).toEqual(['> Look for n8n']);
	progress.begin('Install Node.js 24');
	progress.done();
	progress.begin('Install n8n 2.41.1');
	expect(said.slice(1)).toEqual([
		expect.stringMatching(/2\.41\.1 .* 3 GB .* six minutes .* N8N_BIN/),
		'> Install Node.js 24',
		'> Install n8n 2.41.1',
	]);
	await awaitWords(said, /about 0\.0 of 3 GB/);
	free -= 1.26e9;
	await awaitWords(said, /about 1\.3 of 3 GB/);
	progress.end();
});

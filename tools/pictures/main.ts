/**
 * Takes the pictures of the documents, in the newest n8n: `npm run pictures [-- name …]`. Needs Chromium, where
 * `CHROMIUM` says or at one of the usual places, and a Chinese font (Debian: `fonts-noto-cjk`). Look at each before you
 * commit it.
 */
import type { Browser } from 'playwright-core';
import { startChromium } from '../../test/harness/chromium';
import { DEFAULT_LANGUAGE, packTarball } from '../../test/harness/pack';
import { runCommand } from '../../test/harness/processes';
import { newestSupported } from '../../test/harness/versions';
import { openWorld, storeCredential } from '../../test/harness/world';
import { EXAMPLES } from './examplePictures';
import { FORMS } from './forms';
import type { Sitting } from './studio';

const SITTINGS = [...FORMS, ...EXAMPLES];

/** The names of a credential that pictures show, by language. */
const CREDENTIAL_NAMES: Record<string, string> = {
	[DEFAULT_LANGUAGE]: 'Yuntongxun',
	'zh-CN': '容联云',
};

/** Takes pictures with one n8n. */
async function sit(browser: Browser, language: string, tarball: string, sittings: Sitting[]) {
	if (sittings.length === 0) return;
	const world = await openWorld(newestSupported, { env: sittings[0].env, tarball });
	try {
		const credential = await storeCredential(world, CREDENTIAL_NAMES[language]);
		for (const { take } of sittings) await take({ ...world, browser, language, credential });
	} finally {
		await world.stop();
	}
}

async function main(names: string[]): Promise<void> {
	if ((await runCommand('fc-list', [':lang=zh'])) === '')
		throw new Error('There is no Chinese font');
	const wanted = SITTINGS.filter(({ name }) => names.length === 0 || names.includes(name));
	const browser = await startChromium();
	try {
		for (const language of Object.keys(CREDENTIAL_NAMES)) {
			const tarball = await packTarball(language);
			const [inOwn, inShared] = [true, false].map((isOwn) =>
				wanted.filter(({ env }) => (env !== undefined) === isOwn),
			);
			for (const sitting of inOwn) await sit(browser, language, tarball, [sitting]);
			await sit(browser, language, tarball, inShared);
		}
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});

import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Where Debian, Ubuntu and others put it, unless `CHROMIUM` names another place. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// The editor asks n8n's own servers for templates and the like; the tests stay on this machine. (A
	// route of Playwright would do, but turns the cache off, so that each page loads the whole editor.)
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/**
 * Where a Chromium is installed.
 *
 * @throws Error which says what to install
 */
function findChromium(): string {
	const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES;
	const found = places.find((place) => existsSync(place));
	if (found !== undefined) return found;
	throw new Error(
		`There is no Chromium at ${places.join(', ')}: run "apt-get install chromium", or set CHROMIUM to the program`,
	);
}

/** A browser without a window that talks to nobody but the pages it is sent to. */
export async function startChromium(): Promise<Browser> {
	return await chromium.launch({ executablePath: findChromium(), headless: true, args: QUIET });
}

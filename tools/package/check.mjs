// Checks the packed tarball against the rules of npm, n8n and the bundled packages' licences.
// Usage: node tools/package/check.mjs <tarball>, in English or, by its version, in Chinese
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { chinese } from './checks/chinese.mjs';
import { files } from './checks/files.mjs';
import { latin } from './checks/latin.mjs';
import { licences } from './checks/licences.mjs';
import { metadata } from './checks/metadata.mjs';
import { packaging } from './checks/packaging.mjs';
import { scanner } from './checks/scanner.mjs';

const [given] = process.argv.slice(2);
if (!given) throw new Error('Usage: node tools/package/check.mjs <tarball>');
const isInChinese = /-zh\.\d+\.tgz$/.test(given);

/**
 * Each takes the folders of the project and of the unpacked tarball, and gives a list of objections,
 * empty if there are none, or `{ skipped }` with the reason.
 */
const CHECKS = {
	'list of files': files,
	'package.json': metadata,
	...(isInChinese ? { 'words in Chinese': chinese } : { 'words in Latin letters': latin }),
	'licences of what is bundled': licences,
	publint: packaging,
	"n8n's package scanner": scanner,
};

const tarball = resolve(given);
const project = process.cwd();
// Below the project, so that the unpacked package finds n8n-workflow as it would inside n8n.
const cache = join(project, '.cache');
mkdirSync(cache, { recursive: true });
const unpacked = mkdtempSync(join(cache, 'unpacked-'));
try {
	execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
	for (const [name, check] of Object.entries(CHECKS)) {
		const found = await check({ project, unpacked });
		if (found.skipped) console.log(`${name}: skipped, ${found.skipped}`);
		else if (found.length === 0) console.log(`${name}: passed`);
		else {
			console.log(`${name}:\n${found.map((each) => `  - ${each}`).join('\n')}`);
			process.exitCode = 1;
		}
	}
} finally {
	rmSync(unpacked, { recursive: true, force: true });
}

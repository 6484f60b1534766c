// Holds the sources and the packed tarball against the rules that n8n's own scanner applies to
// published community packages. Usage: node test/package/scan.mjs <tarball>
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const [tarball] = process.argv.slice(2);
const unpacked = mkdtempSync(join(tmpdir(), 'yuntongxun-scan-'));
try {
	execFileSync('tar', ['-xzf', resolve(tarball), '-C', unpacked, '--strip-components=1']);
	const legs = [
		['sources', await analyzePackage(process.cwd(), SOURCE_FILE_PATTERNS)],
		['tarball', await analyzePackage(unpacked)],
	];
	for (const [name, { passed, message, details }] of legs) {
		console.log(passed ? `${name}: passed` : `${name}: ${message}\n${details ?? ''}`);
	}
	process.exitCode = legs.every(([, { passed }]) => passed) ? 0 : 1;
} finally {
	rmSync(unpacked, { recursive: true, force: true });
}

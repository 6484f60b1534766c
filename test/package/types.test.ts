import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { PROJECT } from '../../tools/documents/markdown';
import { newestSupported, oldestSupported } from '../harness/versions';

/** Milliseconds. The compiler takes some seconds for n8n-workflow and all sources. */
const COMPILING = 120_000;
const CACHE = join(PROJECT, '.cache');

/** Both n8n, and where the types that they ship are installed: test/n8n/package.test.ts holds that. */
const SUPPORTED = [
	[oldestSupported, dirname(require.resolve('n8n-workflow-v1/package.json'))],
	[newestSupported, dirname(require.resolve('n8n-workflow/package.json'))],
];

test.each(SUPPORTED)(
	'With the type definitions of n8n %s everything that is published compiles, and reads no others',
	(n8n, types) => {
		const paths = { 'n8n-workflow': [types] };
		const config = join(CACHE, `types-of-n8n-${n8n}.json`);
		mkdirSync(CACHE, { recursive: true });
		writeFileSync(
			config,
			JSON.stringify({
				extends: '../tsconfig.json',
				compilerOptions: { noEmit: true, rootDir: '/', paths },
			}),
		);
		const tsc = require.resolve('typescript/bin/tsc');
		const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--listFiles'], {
			encoding: 'utf8',
			maxBuffer: Infinity,
		});
		const lines = stdout.split('\n');
		expect(lines.filter((line) => line.includes('error TS'))).toEqual([]);
		const definitions = lines.filter((line) => /\/n8n-workflow(?:-v1)?\//.test(line));
		expect(definitions.length).toBeGreaterThan(40);
		expect(definitions.filter((line) => !line.startsWith(`${types}/`))).toEqual([]);
		expect(lines.filter((line) => line.startsWith(`${PROJECT}/nodes/`)).length).toBeGreaterThan(40);
	},
	COMPILING,
);

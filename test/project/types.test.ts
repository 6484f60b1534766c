import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { PROJECT } from '../../tools/documents/markdown';
import { oldestSupported } from '../harness/versions';

/** Milliseconds. The compiler takes some seconds for n8n-workflow and all sources. */
const COMPILING = 120_000;
const CACHE = join(PROJECT, '.cache');

/** Where the types of the oldest n8n are installed; those of the newest are what `npm run check` compiles with. */
const TYPES = dirname(require.resolve('n8n-workflow-v1/package.json'));

test(
	`With the type definitions of n8n ${oldestSupported} everything that is published compiles, and reads no others`,
	() => {
		const config = join(CACHE, 'types-of-oldest-n8n.json');
		const compilerOptions = { noEmit: true, rootDir: '/', paths: { 'n8n-workflow': [TYPES] } };
		mkdirSync(CACHE, { recursive: true });
		writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', compilerOptions }));
		const tsc = require.resolve('typescript/bin/tsc');
		const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--listFiles'], {
			encoding: 'utf8',
			maxBuffer: Infinity,
		});
		const lines = stdout.split('\n');
		expect(lines.filter((line) => line.includes('error TS'))).toEqual([]);
		const definitions = lines.filter((line) => /\/n8n-workflow(?:-v1)?\//.test(line));
		expect(definitions.length).toBeGreaterThan(40);
		expect(definitions.filter((line) => !line.startsWith(`${TYPES}/`))).toEqual([]);
		expect(lines.filter((line) => line.startsWith(`${PROJECT}/nodes/`)).length).toBeGreaterThan(40);
	},
	COMPILING,
);

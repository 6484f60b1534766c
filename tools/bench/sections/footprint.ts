import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectFolder } from '../../../test/harness/paths';
import { duration, median, type Section } from '../report';

const STARTS = 15;

/** What n8n loads of this package at its start. */
const LOADED = [
	'credentials/YuntongxunApi.credentials.js',
	'nodes/Yuntongxun/Yuntongxun.node.js',
	'nodes/Yuntongxun/YuntongxunTrigger.node.js',
];

/** The package's load time, measured in new processes, and its size. */
export function footprintSection(tarball: string): Section {
	const files = JSON.stringify(LOADED.map((file) => resolve(projectFolder, 'dist', file)));
	const script = `require('n8n-workflow');
		const start = performance.now();
		${files}.forEach((file) => require(file));
		console.log(performance.now() - start);`;
	const times = Array.from({ length: STARTS }, () =>
		Number(
			execFileSync(process.execPath, ['-e', script], { cwd: projectFolder, encoding: 'utf8' }),
		),
	);
	return {
		title: 'Loading and size',
		method: `Loading both nodes and the credential in a fresh process that has \`n8n-workflow\` already; median of ${STARTS}.`,
		head: ['What', 'Figure'],
		rows: [
			['loading', duration(median(times))],
			['tarball', `${(statSync(tarball).size / 1024).toFixed(0)} kB`],
		],
		verdicts: [],
	};
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a CommonJS file without types
const { simulator: build } = require('../../gulpfile.js') as { simulator: () => Promise<unknown> };

const PROGRAM = resolve(__dirname, '../dist/main.js');
const ADDRESS = /Watch it at (http:\S+)/;

test('the bundled program runs in plain Node.js, and anybody can ask it', async () => {
	await build();
	const program = spawn(process.execPath, [PROGRAM, '--port', '0', '--console-port', '0']);
	try {
		let printed = '';
		for await (const chunk of program.stdout) {
			printed += String(chunk);
			if (ADDRESS.test(printed)) break;
		}
		const [, address = ''] = ADDRESS.exec(printed) ?? [];
		const answer = await fetch(`${address}_simulator/settings`);
		expect(await answer.json()).toMatchObject({ singleInList: 'array' });
	} finally {
		const ended = once(program, 'exit');
		program.kill();
		await ended;
	}
});

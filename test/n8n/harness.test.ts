import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlatted } from './harness/flatted';
import { startCommand } from './harness/processes';
import { until } from './harness/until';

describe("n8n's flattened execution data", () => {
	test('is put together again, with what is shared and circular', () => {
		const text = '[{"a":"1","b":"2","n":7,"z":null},"one",["1","0",true,"3"],{"c":"1"}]';
		const whole = parseFlatted(text) as { b: unknown[] };
		expect(whole).toMatchObject({ a: 'one', n: 7, z: null });
		expect(whole.b[0]).toBe('one');
		expect(whole.b[1]).toBe(whole);
		expect(whole.b.slice(2)).toEqual([true, { c: 'one' }]);
	});
});

describe('A started command', () => {
	const isAlive = (pid: number): boolean => {
		try {
			process.kill(pid, 0);
			return true;
		} catch {
			return false;
		}
	};

	test('ends in good order when asked to', async () => {
		const script = 'process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });';
		const running = startCommand('node', [
			'-e',
			`${script} console.log("up"); setInterval(() => {}, 1e3);`,
		]);
		await until('the command', () => /up/.test(running.output) || undefined);
		await running.stop();
		expect(running.output).toContain('bye');
		expect(running.exitCode).toBe(0);
	});

	test('is killed with all its children when it does not end', async () => {
		const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1e3);';
		const child = `require("child_process").spawn("sleep", ["600"]).pid`;
		const running = startCommand('node', ['-e', `${script} console.log("pid", ${child});`]);
		const pid = await until(
			'the child',
			() => Number(/pid (\d+)/.exec(running.output)?.[1]) || undefined,
		);
		await running.stop(200);
		await until('the child to be gone', () => !isAlive(pid) || undefined);
		expect(running.exitCode).toBe(137);
	});

	test('does not outlive a process that is killed, nor does its folder', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'leash-test-'));
		const script = join(folder, 'start.ts');
		const processes = JSON.stringify(join(__dirname, 'harness/processes'));
		await writeFile(
			script,
			`import { startCommand } from ${processes};
			startCommand('sh', ['-c', 'echo pid $$; sleep 600'], {
				removeIfAbandoned: [${JSON.stringify(folder)}],
				onOutput: (text) => process.stdout.write(text),
			});`,
		);
		const asking = spawn(process.execPath, ['--import', require.resolve('tsx'), script]);
		const [output] = (await once(asking.stdout, 'data')) as [Buffer];
		const pid = Number(/pid (\d+)/.exec(output.toString())?.[1]);
		expect(isAlive(pid)).toBe(true);

		asking.kill('SIGKILL');
		await until('the command to be gone', () => !isAlive(pid) || undefined);
		await until('its folder to be gone', async () => {
			return await stat(folder).then(
				() => undefined,
				() => true,
			);
		});
	});
});

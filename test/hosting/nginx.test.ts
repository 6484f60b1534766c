import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificateAuthority, makeServerCertificate } from '../../simulator/certificate';
import { blocks, read } from '../../tools/documents/markdown';
import { Calls } from '../harness/calls';
import { freePorts } from '../harness/loopback';
import { startCommand, type RunningCommand } from '../harness/processes';
import {
	START_LIMIT_MS,
	startSetup,
	versionsToTest,
	type Setup,
	type Stoppable,
} from '../harness/setup';
import { until } from '../harness/until';
import { newestSupported } from '../harness/versions';
import { Startable, waitAndTell } from '../harness/workflows';

/*
 * What docs/running-n8n.md says of nginx, as it stands there but for the names and ports of this
 * machine, in front of a real n8n.
 */

const [version] = versionsToTest([newestSupported]);
/** Above what nginx takes by itself, 1 MB, and below what n8n takes. */
const LARGE_BYTES = 3_000_000;

const document = read('docs/running-n8n.md');
const findBlock = (wanted: string): string =>
	blocks(document).find(({ language }) => language === wanted)?.code ?? '';

let setup: Setup & Stoppable;
let folder: string;
let nginx: RunningCommand | undefined;
let address: string;

/** Starts nginx with the document's server; it listens then. */
async function startNginx(publicPort: number, n8nPort: string): Promise<void> {
	const authority = await ensureCertificateAuthority();
	const { certificate, key } = await makeServerCertificate(authority);
	await writeFile(join(folder, 'own.pem'), certificate);
	await writeFile(join(folder, 'own.key'), key);
	let server = findBlock('nginx');
	for (const [from, to] of [
		['listen 443 ssl', `listen 127.0.0.1:${publicPort} ssl`],
		['/etc/ssl/n8n.example.com', join(folder, 'own')],
		['/etc/ssl/n8n.example.com', join(folder, 'own')],
		['server_name n8n.example.com', 'server_name localhost'],
		['127.0.0.1:5678', `127.0.0.1:${n8nPort}`],
	]) {
		expect(server).toContain(from);
		server = server.replace(from, to);
	}
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((name) => `${name}_temp_path ${folder}/${name};`)
		.join(' ');
	// Its workers would be another user, who may not enter the folder.
	const user = process.getuid?.() === 0 ? 'user root;' : '';
	const path = join(folder, 'nginx.conf');
	const http = `http { access_log off; ${temporary} ${server} }`;
	const main = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}`;
	await writeFile(path, `${main} ${http}`);
	const running = startCommand('nginx', ['-p', folder, '-c', path]);
	nginx = running;
	await until('nginx to listen', async () => {
		if (running.exitCode !== undefined) throw new Error(running.output);
		return await fetch(address).catch(() => undefined);
	});
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'nginx-'));
	const [port] = await freePorts(1);
	address = `https://localhost:${port}`;
	const lines = findBlock('ini').trim().split('\n');
	const settings = Object.fromEntries(lines.map((line) => line.split('='))) as Record<
		string,
		string
	>;
	expect(settings.N8N_WEBHOOK_URL).toBe('https://n8n.example.com/');
	const own = { N8N_WEBHOOK_URL: `${address}/` };
	setup = await startSetup(version, { env: { ...settings, ...own } });
	await startNginx(port, new URL(setup.n8n.url).port);
}, START_LIMIT_MS);
afterAll(async () => {
	await setup?.stop();
	await nginx?.stop();
	await rm(folder, { recursive: true, force: true });
});

test('A call waits, and its result comes back through nginx', async () => {
	const calls = new Calls(() => setup);
	const workflow = await Startable.activate(setup, waitAndTell(setup.credential));
	const call = await calls.placeWith(workflow);
	expect(call.respUrl?.startsWith(`${address}/webhook/`)).toBe(true);
	expect(await calls.deliver(call)).toBe(200);
	expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
});

test('The check from outside gets the words that the document names', async () => {
	const [, path] = /^curl -X POST https:\/\/n8n\.example\.com(\S+)$/m.exec(document)!;
	const answer = await fetch(`${address}${path}`, { method: 'POST' });
	expect(document).toContain('"not registered"');
	expect(await answer.text()).toContain('not registered');
});

test('What is larger than nginx takes by itself reaches n8n', async () => {
	const body = Buffer.alloc(LARGE_BYTES, 'x');
	const answer = await fetch(`${address}/webhook/nobody`, { method: 'POST', body });
	await answer.arrayBuffer();
	// n8n may hang up before it has read all of what it does not know, which nginx calls 502.
	expect([404, 502]).toContain(answer.status);
});

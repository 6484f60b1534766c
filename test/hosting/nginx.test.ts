import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureCertificateAuthority, makeServerCertificate } from '../../simulator/certificate';
import { blocks, read } from '../../tools/documents/markdown';
import { Calls } from '../harness/callResults';
import { freePorts } from '../harness/freePorts';
import { until } from '../harness/until';
import { newestSupported } from '../harness/versions';
import { Startable, waitAndTell } from '../harness/waitWorkflows';
import { openWorld, versionsToTest, type World } from '../harness/world';

/*
 * What docs/running-n8n.md says of nginx, as it stands there but for the names and ports of this
 * machine, in front of a real n8n.
 */

const [version] = versionsToTest([newestSupported]);
const LIMIT_MS = 10 * 60_000;
/** Above what nginx takes by itself, 1 MB, and below what n8n takes. */
const LARGE_BYTES = 3_000_000;

const document = read('docs/running-n8n.md');

function findBlock(wanted: string): string {
	const found = blocks(document).find(({ language }) => language === wanted);
	if (!found) throw new Error(`The document has no ${wanted}`);
	return found.code;
}

let world: World;
let folder: string;
let nginx: ChildProcess;
let address: string;

/** Starts nginx with the document's server; it listens then. */
async function startNginx(publicPort: string, n8nPort: string): Promise<void> {
	const authority = await ensureCertificateAuthority();
	const { certificate, key } = await makeServerCertificate(authority);
	await writeFile(join(folder, 'own.pem'), certificate);
	await writeFile(join(folder, 'own.key'), key);
	const changes = [
		['listen 443 ssl', `listen 127.0.0.1:${publicPort} ssl`],
		['/etc/ssl/n8n.example.com', join(folder, 'own')],
		['/etc/ssl/n8n.example.com', join(folder, 'own')],
		['server_name n8n.example.com', 'server_name localhost'],
		['127.0.0.1:5678', `127.0.0.1:${n8nPort}`],
	];
	let server = findBlock('nginx');
	for (const [from, to] of changes) {
		expect(server).toContain(from);
		server = server.replace(from, to);
	}
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
		.map((name) => `${name}_temp_path ${folder}/${name};`)
		.join(' ');
	// Its workers would be another user, who may not enter the folder.
	const user = process.getuid?.() === 0 ? 'user root;' : '';
	const configuration = `${user} daemon off; pid ${folder}/pid; error_log stderr; events {}
		http { access_log off; ${temporary} ${server} }`;
	await writeFile(join(folder, 'nginx.conf'), configuration);
	nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
	await until('nginx to listen', async () => {
		expect(nginx.exitCode).toBeNull();
		const answer = await fetch(address).catch(() => undefined);
		return answer ? true : undefined;
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
	const own = { N8N_WEBHOOK_URL: `${address}/`, WEBHOOK_URL: `${address}/` };
	world = await openWorld(version, { env: { ...settings, ...own } });
	await startNginx(String(port), new URL(world.n8n.url).port);
}, LIMIT_MS);
afterAll(async () => {
	await world?.stop();
	if (nginx && nginx.exitCode === null) {
		nginx.kill('SIGQUIT');
		await once(nginx, 'exit');
	}
	await rm(folder, { recursive: true, force: true });
});

const calls = new Calls(() => world);

test('A call waits, and its result comes back through nginx', async () => {
	const call = await calls.placeWith(
		await Startable.activate(world, waitAndTell(world.credential)),
	);
	expect(call.respUrl?.startsWith(`${address}/webhook/`)).toBe(true);
	expect(await calls.deliver(call)).toBe(200);
	expect(await calls.told(call)).toEqual([`completed ${call.userData}`]);
});

test('The check from outside gets the words that the document names', async () => {
	const command = findBlock('sh').replace('https://n8n.example.com', address);
	const [, url] = /curl -X POST (\S+)$/.exec(command.trim())!;
	const answer = await fetch(url, { method: 'POST' });
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

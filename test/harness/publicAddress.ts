import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a request to n8n's own public address meets, unless it comes from outside. */
export type Hairpin =
	/** It is passed on. */
	| 'open'
	/** The connection breaks, as where a router does not lead back inside. */
	| 'broken'
	/** Nothing answers, as where a proxy hangs. */
	| 'silent';

/** n8n's public address, such as a tunnel: slow, and with a path prefix that n8n does not see. */
export class PublicAddress {
	/** What n8n's own requests meet. */
	hairpin: Hairpin = 'open';
	/** Paths that n8n itself has asked for. */
	readonly ownRequests: string[] = [];
	/** Where n8n really listens, such as `http://127.0.0.1:5678`; several processes take turns. */
	targets: readonly string[] = [];
	private turns = 0;

	private constructor(
		private readonly server: ReturnType<typeof createServer>,
		/** With a slash at its end, as n8n's `WEBHOOK_URL`. */
		readonly url: string,
	) {}

	/**
	 * @param prefix path that is stripped, such as `/phone`
	 * @param delayMs added to each answer, milliseconds
	 */
	static async start(prefix: string, delayMs: number): Promise<PublicAddress> {
		const server = createServer();
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const address = new PublicAddress(server, `http://127.0.0.1:${port}${prefix}/`);
		server.on('request', (request, response) => {
			const { url = '', method, headers } = request;
			// Only n8n's HTTP helper says so of itself; the simulator and the tests do not.
			const isOwn = /n8n|axios/.test(headers['user-agent'] ?? '');
			if (isOwn) address.ownRequests.push(url);
			const hairpin = isOwn ? address.hairpin : 'open';
			if (hairpin === 'broken') return void request.socket.destroy();
			if (hairpin === 'silent') return void request.resume();
			if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end('Not here');
			const path = url.slice(prefix.length);
			const target = address.targets[address.turns % address.targets.length];
			address.turns += 1;
			const inner = forward(`${target}${path}`, { method, headers }, (answer) => {
				void sleep(delayMs).then(() => {
					response.writeHead(answer.statusCode ?? 502, answer.headers);
					answer.pipe(response);
				});
			});
			inner.on('error', () => response.destroy());
			response.on('close', () => inner.destroy());
			request.pipe(inner);
		});
		return address;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}
}

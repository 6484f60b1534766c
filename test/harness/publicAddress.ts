import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLoopback, type LoopbackServer } from './loopback';

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

	private server: LoopbackServer | undefined;

	/**
	 * @param prefix path that is stripped, such as `/phone`
	 * @param delayMs added to each answer, milliseconds
	 */
	private constructor(
		private readonly prefix: string,
		private readonly delayMs: number,
	) {}

	static async start(prefix: string, delayMs: number): Promise<PublicAddress> {
		const address = new PublicAddress(prefix, delayMs);
		address.server = await startLoopback((request, response) => address.answer(request, response));
		return address;
	}

	/** With a slash at its end, as n8n's `WEBHOOK_URL`. */
	get url(): string {
		return `${this.server?.url}${this.prefix}/`;
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}

	private answer(request: IncomingMessage, response: ServerResponse): void {
		const { url = '', headers } = request;
		// Only n8n's HTTP helper says so of itself; the simulator and the tests do not.
		const isOwn = /n8n|axios/.test(headers['user-agent'] ?? '');
		if (isOwn) this.ownRequests.push(url);
		const hairpin = isOwn ? this.hairpin : 'open';
		if (hairpin === 'broken') request.socket.destroy();
		else if (hairpin === 'silent') request.resume();
		else if (url.startsWith(`${this.prefix}/`)) this.forward(request, response);
		else response.writeHead(404).end('Not here');
	}

	private forward(request: IncomingMessage, response: ServerResponse): void {
		const { url = '', method, headers } = request;
		const target = this.targets[this.turns % this.targets.length];
		this.turns += 1;
		const inner = forward(`${target}${url.slice(this.prefix.length)}`, { method, headers });
		inner.on('response', (answer) => {
			void sleep(this.delayMs).then(() => {
				response.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(response);
			});
		});
		inner.on('error', () => response.destroy());
		response.on('close', () => inner.destroy());
		request.pipe(inner);
	}
}

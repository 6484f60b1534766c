import { request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import { startLoopback, type LoopbackServer } from './loopback';

/** n8n's public address, behind which several processes take turns. */
export class PublicAddress {
	/** Where they really listen, such as `http://127.0.0.1:5678`. */
	targets: readonly string[] = [];

	private turns = 0;

	private server: LoopbackServer | undefined;

	static async start(): Promise<PublicAddress> {
		const address = new PublicAddress();
		address.server = await startLoopback((request, response) => address.pass(request, response));
		return address;
	}

	/** With a slash at its end, as n8n's `WEBHOOK_URL`. */
	get url(): string {
		return `${this.server?.url}/`;
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}

	private pass(request: IncomingMessage, response: ServerResponse): void {
		const { url = '', method, headers } = request;
		const target = this.targets[this.turns % this.targets.length];
		this.turns += 1;
		const inner = forward(`${target}${url}`, { method, headers });
		inner.on('response', (answer) => {
			response.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(response);
		});
		inner.on('error', () => response.destroy());
		response.on('close', () => inner.destroy());
		request.pipe(inner);
	}
}

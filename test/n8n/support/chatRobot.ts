import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A group chat's robot on loopback: it keeps what it is told to say. */
export class ChatRobot {
	/** The bodies of its requests, in order. */
	readonly messages: string[] = [];

	private constructor(private readonly server: Server) {}

	static async start(): Promise<ChatRobot> {
		const server = createServer();
		const robot = new ChatRobot(server);
		server.on('request', (request, response) => {
			void text(request).then((body) => {
				const message = JSON.parse(body) as {
					content?: { text?: string };
					text?: { content?: string };
				};
				robot.messages.push(message.content?.text ?? message.text?.content ?? body);
				response.end('{}');
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		return robot;
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}

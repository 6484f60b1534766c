import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of the loopback address. */
export interface LoopbackServer {
	/** Without a trailing slash. */
	url: string;
	stop(): Promise<void>;
}

/** Starts one that answers so. */
export async function startLoopback(answer: RequestListener): Promise<LoopbackServer> {
	const server = createServer(answer);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		stop: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

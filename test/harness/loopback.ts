import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of the loopback address. */
export interface LoopbackServer {
	/** Without a trailing slash. */
	url: string;
	stop(): Promise<void>;
}

/** Starts one that answers so. */
export async function startLoopback(answer: RequestListener): Promise<LoopbackServer> {
	const server = await listen(answer);
	return { url: `http://127.0.0.1:${getPort(server)}`, stop: async () => await close(server) };
}

/** As many different free ports of the loopback address. */
export async function freePorts(count: number): Promise<number[]> {
	// Held until all are found, so that none comes twice.
	const holders = await Promise.all(Array.from({ length: count }, async () => await listen()));
	const ports = holders.map(getPort);
	await Promise.all(holders.map(close));
	return ports;
}

async function listen(answer?: RequestListener): Promise<Server> {
	const server = createServer(answer);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

async function close(server: Server): Promise<void> {
	server.closeAllConnections();
	server.close();
	await once(server, 'close');
}

const getPort = (server: Server): number => (server.address() as AddressInfo).port;

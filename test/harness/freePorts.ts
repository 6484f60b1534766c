import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Free ports of the loopback address, all different.
 *
 * @param count how many
 */
export async function freePorts(count: number): Promise<number[]> {
	// Held until all are found, so that none comes twice.
	const holders = await Promise.all(Array.from({ length: count }, () => listen(0)));
	const ports = holders.map((server) => getPort(server));
	await Promise.all(holders.map(close));
	return ports;
}

/** Whether a port of the loopback address is free. */
export async function isFree(port: number): Promise<boolean> {
	try {
		await close(await listen(port));
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
		throw error;
	}
}

async function listen(port: number): Promise<Server> {
	const server = createServer();
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return server;
}

async function close(server: Server): Promise<void> {
	server.close();
	await once(server, 'close');
}

function getPort(server: Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port was given');
	return address.port;
}

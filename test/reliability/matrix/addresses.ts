import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../../../simulator/index';
import type { DeadAddress } from './fault';

async function listening(server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** Addresses where there is no service to talk to, and a host that nobody may turn to. */
export interface Addresses {
	readonly dead: Readonly<Record<DeadAddress, string>>;
	/** Host and port of the other host. */
	readonly elsewhere: string;
	/** How often somebody turned to the other host. */
	visitors(): number;
	/** What the services with a wrong certificate got to read. */
	overheard(): number;
	stop(): Promise<void>;
}

/** Opens all addresses. */
export async function openAddresses(): Promise<Addresses> {
	const caFolder = mkdtempSync(join(tmpdir(), 'other-ca-'));
	const simulators: Simulator[] = [];
	const servers: Server[] = [];
	const service = async (...options: Parameters<typeof startSimulator>): Promise<string> => {
		const simulator = await startSimulator(...options);
		simulators.push(simulator);
		return simulator.url;
	};
	const plain = async (serve: (server: Server) => void): Promise<string> => {
		const server = createServer();
		server.on('connection', (socket) => socket.on('error', () => undefined));
		serve(server);
		servers.push(server);
		return `127.0.0.1:${await listening(server)}`;
	};

	const closed = createServer();
	const closedPort = await listening(closed);
	await new Promise((resolve) => closed.close(resolve));

	let visitors = 0;
	const elsewhere = await plain((server) =>
		server.on('connection', (socket) => {
			visitors++;
			socket.destroy();
		}),
	);
	return {
		dead: {
			nobodyListens: `https://127.0.0.1:${closedPort}`,
			unknownName: 'https://yuntongxun.invalid:8883',
			expiredCertificate: await service({ certificateDefect: 'expired' }),
			certificateOfAnotherHost: await service({ certificateDefect: 'otherHost' }),
			certificateOfNobody: await service({ caFolder }),
			noEncryption: `https://${await plain((server) =>
				server.on('connection', (socket) =>
					socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
				),
			)}`,
			closedWhileConnecting: `https://${await plain((server) =>
				server.on('connection', (socket) => socket.once('data', () => socket.end())),
			)}`,
			resetWhileConnecting: `https://${await plain((server) =>
				server.on('connection', (socket) => socket.once('data', () => socket.resetAndDestroy())),
			)}`,
		},
		elsewhere,
		visitors: () => visitors,
		overheard: () => simulators.reduce((sum, { record }) => sum + record.requests.length, 0),
		stop: async () => {
			await Promise.all(simulators.map(async (simulator) => await simulator.stop()));
			for (const server of servers) server.close();
			rmSync(caFolder, { recursive: true });
		},
	};
}

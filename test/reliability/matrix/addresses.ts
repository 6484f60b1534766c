import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../../simulator/index';
import { freePorts } from '../../harness/freePorts';
import type { DeadAddress } from './fault';

/** Addresses where there is no service to talk to, and a host that nobody may turn to. */
export interface Addresses {
	readonly dead: Readonly<Record<DeadAddress, string>>;
	/** Host and port of the other host. */
	readonly elsewhere: string;
	/** How often the other host or a service with a wrong certificate heard of a request. */
	countListeners(): number;
	stop(): Promise<void>;
}

const IN_THE_CLEAR = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

async function listen(meet: (socket: Socket) => unknown): Promise<Server> {
	const server = createServer((socket) => {
		socket.on('error', () => undefined);
		meet(socket);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

const getHost = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Opens all addresses. */
export async function openAddresses(): Promise<Addresses> {
	let visitors = 0;
	const servers = await Promise.all([
		listen((socket) => socket.end(IN_THE_CLEAR)),
		listen((socket) => socket.once('data', () => socket.end())),
		listen((socket) => socket.once('data', () => socket.resetAndDestroy())),
		listen((socket) => {
			visitors++;
			socket.destroy();
		}),
	]);
	const [clear, closing, resetting, elsewhere] = servers.map(getHost);
	const wrong = await startWithWrongCertificates();
	const [closedPort] = await freePorts(1);
	return {
		dead: {
			...wrong.urls,
			nobodyListens: `https://127.0.0.1:${closedPort}`,
			unknownName: 'https://yuntongxun.invalid:8883',
			noEncryption: `https://${clear}`,
			closedWhileConnecting: `https://${closing}`,
			resetWhileConnecting: `https://${resetting}`,
		},
		elsewhere,
		countListeners: () => visitors + wrong.countRequests(),
		stop: async () => {
			await wrong.stop();
			for (const server of servers) server.close();
		},
	};
}

/** Services whose certificates nobody may believe. */
async function startWithWrongCertificates() {
	const caFolder = mkdtempSync(join(tmpdir(), 'other-ca-'));
	const simulators = await Promise.all([
		startSimulator({ certificateDefect: 'expired' }),
		startSimulator({ certificateDefect: 'otherHost' }),
		startSimulator({ caFolder }),
	]);
	const [expiredCertificate, certificateOfAnotherHost, certificateOfNobody] = simulators.map(
		({ url }) => url,
	);
	return {
		urls: { expiredCertificate, certificateOfAnotherHost, certificateOfNobody },
		countRequests: () => simulators.reduce((sum, { record }) => sum + record.requests.length, 0),
		stop: async () => {
			await Promise.all(simulators.map(async (simulator) => await simulator.stop()));
			rmSync(caFolder, { recursive: true });
		},
	};
}

import { createServer as createHttpServer } from 'node:http';
import type { Server, Socket } from 'node:net';
import {
	ensureCertificateAuthority,
	makeServerCertificate,
	type CertificateDefect,
} from './certificate';
import { createConsole, type ConsoleHandler } from './console/handler';
import { createControl, type SimulatorControl } from './control';
import { createExchange } from './exchange';
import { Faults } from './faults';
import { Tasks } from './pendingTasks';
import { Recorder, type LocatedViolation } from './record';
import { Sender } from './sender';
import { close, collectBody, createServiceServer, listen } from './server';
import { createState, type ServiceOptions } from './state';

/** How to start a simulator; every setting can be given here too. */
export interface SimulatorOptions extends ServiceOptions {
	/** Port of the service; 0 (the default) takes any free one. */
	readonly port?: number;
	/** Address to listen on (default `127.0.0.1`). */
	readonly host?: string;
	/** Port of the console page over plain HTTP as well; 0 takes any free one. */
	readonly consolePort?: number;
	/** Where the certificate authority is kept (default `.cache/simulator-ca`). */
	readonly caFolder?: string;
	/** What is wrong with the server's certificate (default nothing). */
	readonly certificateDefect?: CertificateDefect;
	/** Path in front of the version segment, for example `/gateway` (default none). */
	readonly basePath?: string;
}

/** A running simulator of the service. */
export interface Simulator extends SimulatorControl {
	/** Base URL for a client, `https://localhost:PORT` and the base path. */
	readonly url: string;
	/** Address of the page that shows all requests. */
	readonly consoleUrl: string;
	/** The file a client must trust, through NODE_EXTRA_CA_CERTS. */
	readonly caFile: string;
	/** The same certificate as PEM. */
	readonly ca: string;
	/** Closes everything at once. */
	stop(): Promise<void>;
}

/** The parts of a simulator, without the servers. */
function createParts(options: SimulatorOptions, ca: string) {
	const state = createState(options);
	const recorder = new Recorder(() => state.settings.recordLimit);
	const tasks = new Tasks();
	const sender = new Sender(state, recorder, tasks, ca);
	return { basePath: options.basePath ?? '', state, recorder, faults: new Faults(), tasks, sender };
}

/** Servers, and the connections to them, which end with them. */
class Servers {
	private readonly servers: Server[] = [];
	private readonly sockets = new Set<Socket>();

	/** @returns the port */
	async open(server: Server, port: number, host: string): Promise<number> {
		this.servers.push(server);
		server.on('connection', (socket: Socket) => {
			this.sockets.add(socket);
			socket.on('close', () => this.sockets.delete(socket));
		});
		return await listen(server, port, host);
	}

	async stop(): Promise<void> {
		const closed = this.servers.map(close);
		for (const socket of this.sockets) socket.destroy();
		await Promise.all(closed);
	}
}

/** The console over plain HTTP. */
const createPlainServer = (showConsole: ConsoleHandler): Server =>
	createHttpServer(
		collectBody((request, response, body) => {
			if (!showConsole(request, response, body)) response.writeHead(404).end();
		}),
	);

/**
 * Starts the whole service over TLS, as the specification describes it.
 * @throws Error with code EADDRINUSE if the port is taken
 */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
	const { port = 0, host = '127.0.0.1', consolePort, caFolder, certificateDefect } = options;
	const authority = await ensureCertificateAuthority(caFolder);
	const parts = createParts(options, authority.certificate);
	const control = createControl(parts);
	const showConsole = createConsole(control);
	const service = createServiceServer(
		await makeServerCertificate(authority, certificateDefect),
		(request, response, body) => {
			if (!showConsole(request, response, body)) exchange(request, response, body);
		},
		(violation) => parts.recorder.connectionViolation(violation),
	);
	const exchange = createExchange({ ...parts, reset: service.reset });
	const servers = new Servers();
	const origin = `https://localhost:${await servers.open(service.server, port, host)}`;
	const openConsole = async (at: number) =>
		`http://localhost:${await servers.open(createPlainServer(showConsole), at, host)}`;
	return {
		...control,
		url: `${origin}${parts.basePath}`,
		consoleUrl: `${consolePort === undefined ? origin : await openConsole(consolePort)}/`,
		caFile: authority.file,
		ca: authority.certificate,
		stop: async () => {
			parts.tasks.clear();
			await servers.stop();
		},
	};
}

/**
 * What clients did wrong, for tests to demand none of it. Left out are a wrong token, which no test
 * overlooks since everything is refused then, how receivers of call results answered, and names
 * beyond letters and digits, which are the user's own and taken in practice.
 */
export const requestViolations = (simulator: SimulatorControl): LocatedViolation[] =>
	simulator
		.violations()
		.filter(({ rule }) => !['signature', 'acknowledgement', 'friendlyName'].includes(rule));

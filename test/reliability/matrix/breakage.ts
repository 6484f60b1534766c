import { channel, type ChannelListener } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FaultEffect } from '../../../simulator/index';

/** Moments at which a system can report that a connection is gone. */
export type Moment = 'connecting' | 'encrypting' | 'writing' | 'waiting' | 'reading';

/** A connection that breaks on the client's side, as Node.js reports it. */
export interface Breakage {
	readonly at: Moment;
	/** A new one each time, since exceptions are not shared. */
	readonly error: () => Error;
}

/** What the service does meanwhile: from `waiting` on it has taken the request. */
export const MEANWHILE: Partial<Record<Moment, FaultEffect>> = {
	waiting: { kind: 'silence' },
	reading: { kind: 'http', dripMs: 1000 },
};

/** Requests that were begun, by what their path ends with and the format they ask for. */
export interface Attempts {
	count(operation: string, format: string): number;
	stop(): void;
}

type Requested = { request: ClientRequest };
type Arrived = { request: IncomingMessage; socket: Socket };

/**
 * Breaks the connection of every request to a host.
 *
 * @param host with its port
 */
export function breakConnections(host: string, { at, error }: Breakage): Attempts {
	const begun: Array<{ path: string; accept: string }> = [];
	const waiting = new Map<number | undefined, Socket>();
	const onSocket: Record<Moment, (socket: Socket, request: ClientRequest) => void> = {
		connecting: (socket) => socket.destroy(error()),
		encrypting: (socket) => socket.once('connect', () => socket.destroy(error())),
		writing: (socket) => socket.once('secureConnect', () => socket.destroy(error())),
		waiting: (socket) => socket.once('secureConnect', () => waiting.set(socket.localPort, socket)),
		reading: (socket, request) =>
			request.once('response', () => setImmediate(() => socket.destroy(error()))),
	};
	const requested: ChannelListener = (message) => {
		const { request } = message as Requested;
		if (request.getHeader('host') !== host) return;
		begun.push({ path: request.path, accept: String(request.getHeader('accept')) });
		const take = (socket: Socket) => onSocket[at](socket, request);
		if (request.socket) take(request.socket);
		else request.once('socket', take);
	};
	const arrived: ChannelListener = (message) => {
		const { request, socket } = message as Arrived;
		const client = waiting.get(socket.remotePort);
		// By then the service has read and recorded it.
		if (client) request.once('end', () => setImmediate(() => client.destroy(error())));
	};
	const channels = [
		[channel('http.client.request.start'), requested],
		[channel('http.server.request.start'), arrived],
	] as const;
	for (const [each, listener] of channels) each.subscribe(listener);
	return {
		count: (operation, format) =>
			begun.filter(
				({ path, accept }) =>
					path.split('?')[0].endsWith(`/${operation}`) && accept.endsWith(format),
			).length,
		stop: () => {
			for (const [each, listener] of channels) each.unsubscribe(listener);
		},
	};
}

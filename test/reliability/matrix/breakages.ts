import type { Breakage, Moment } from './breakage';
import type { MatrixFault } from './fault';

/** An exception of the system as Node.js makes it. */
const systemError = (syscall: string, code: string, detail = ''): Error =>
	Object.assign(new Error(`${syscall} ${code}${detail}`), { code, syscall, errno: -1 });

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const unconnected = (name: string, error: Breakage['error'], says: RegExp): MatrixFault => ({
	name,
	strikes: { breaks: { at: 'connecting', error } },
	then: 'no',
	says,
});

const midway = (name: string, at: Moment, error: Breakage['error']): MatrixFault => ({
	name: `${name} (${at})`,
	strikes: { breaks: { at, error } },
	then: 'unknown',
	says: /connection broke|in time/,
});

/** Words of OpenSSL where there is no record of TLS, as Node.js 20 passes them on. */
const NO_TLS =
	'80DC4BBEBF7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:354:\n';

/**
 * Connections that break on this side, by the moment at which they do. What each name of a failure means
 * is decided by test/unit/client/failureTable.test.ts.
 */
export const BREAKAGES: readonly MatrixFault[] = [
	unconnected(
		'getaddrinfo ENOTFOUND',
		() => systemError('getaddrinfo', 'ENOTFOUND', ' app.example.com'),
		/not known/,
	),
	unconnected(
		'connect ETIMEDOUT',
		() => systemError('connect', 'ETIMEDOUT', ' 192.0.2.1:8883'),
		/cannot be reached/,
	),
	unconnected(
		'Two addresses, neither of which answers',
		() =>
			Object.assign(
				new AggregateError([
					systemError('connect', 'ETIMEDOUT', ' 192.0.2.1:8883'),
					systemError('connect', 'ENETUNREACH', ' 2001:db8::1:8883'),
				]),
				{ code: 'ETIMEDOUT' },
			),
		/cannot be reached/,
	),
	// The system says the same of a connection that broke after the request had left.
	midway('read ECONNRESET', 'encrypting', () => systemError('read', 'ECONNRESET')),
	midway('write EPIPE', 'writing', () => systemError('write', 'EPIPE')),
	midway('read EHOSTUNREACH', 'waiting', () => systemError('read', 'EHOSTUNREACH')),
	midway('The connection ends', 'waiting', () => coded('ECONNRESET', 'socket hang up')),
	midway('Plain text in the middle of TLS', 'waiting', () =>
		coded('ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS),
	),
	midway('An alert of TLS', 'waiting', () =>
		coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'),
	),
	midway('No HTTP at all', 'waiting', () =>
		coded('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'),
	),
	midway('read ETIMEDOUT', 'reading', () => systemError('read', 'ETIMEDOUT')),
];

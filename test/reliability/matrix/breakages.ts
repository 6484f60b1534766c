import type { Breakage, Moment } from './breakage';
import type { MatrixFault } from './fault';

/** An exception of the system as Node.js makes it. */
const systemError = (syscall: string, code: string, detail = ''): Error =>
	Object.assign(new Error(`${syscall} ${code}${detail}`), { code, syscall, errno: -1 });

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const BROKEN = /connection broke|in time/;

const broken = (
	name: string,
	at: Moment,
	error: Breakage['error'],
	then: MatrixFault['then'],
	says: RegExp,
): MatrixFault => ({ name, strikes: { breaks: { at, error } }, then, says });

const midway = (at: Moment, syscall: string, code: string): MatrixFault =>
	broken(`${syscall} ${code} (${at})`, at, () => systemError(syscall, code), 'unknown', BROKEN);

/** Words of OpenSSL where there is no record of TLS, as Node.js 20 passes them on. */
const NO_TLS =
	'80DC4BBEBF7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:354:\n';

/**
 * Connections that break on this side, by the moment at which they do. What each name of a failure means
 * is decided by test/unit/client/failureTable.test.ts.
 */
export const BREAKAGES: readonly MatrixFault[] = [
	broken(
		'getaddrinfo ENOTFOUND',
		'connecting',
		() => systemError('getaddrinfo', 'ENOTFOUND', ' app.example.com'),
		'no',
		/not known/,
	),
	broken(
		'connect ETIMEDOUT',
		'connecting',
		() => systemError('connect', 'ETIMEDOUT', ' 192.0.2.1:8883'),
		'no',
		/cannot be reached/,
	),
	broken(
		'Two addresses, neither of which answers',
		'connecting',
		() =>
			Object.assign(
				new AggregateError([
					systemError('connect', 'ETIMEDOUT', ' 192.0.2.1:8883'),
					systemError('connect', 'ENETUNREACH', ' 2001:db8::1:8883'),
				]),
				{ code: 'ETIMEDOUT' },
			),
		'no',
		/cannot be reached/,
	),
	// The system says the same of a connection that broke after the request had left.
	midway('encrypting', 'read', 'ECONNRESET'),
	midway('writing', 'write', 'EPIPE'),
	midway('waiting', 'read', 'EHOSTUNREACH'),
	broken(
		'The connection ends (waiting)',
		'waiting',
		() => coded('ECONNRESET', 'socket hang up'),
		'unknown',
		BROKEN,
	),
	broken(
		'Plain text in the middle of TLS (waiting)',
		'waiting',
		() => coded('ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS),
		'unknown',
		BROKEN,
	),
	broken(
		'An alert of TLS (waiting)',
		'waiting',
		() => coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tlsv13 alert certificate required'),
		'unknown',
		BROKEN,
	),
	broken(
		'No HTTP at all (waiting)',
		'waiting',
		() => coded('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/'),
		'unknown',
		BROKEN,
	),
	midway('reading', 'read', 'ETIMEDOUT'),
];

import type { Breakage, Moment } from './breakage';
import type { MatrixFault } from './fault';

/** An exception of the system as Node.js makes it. */
const systemError = (syscall: string, code: string, detail = ''): Error =>
	Object.assign(new Error(`${syscall} ${code}${detail}`), { code, syscall, errno: -1 });

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** What a system can say of any connection, whatever it is doing with it. */
const SYSTEM = [
	...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH'],
	...['EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET', 'ENOTCONN', 'ENOBUFS', 'EPROTO'],
];

/** What it can say besides when a connection is to be made. */
const OF_CONNECTING = ['EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EMFILE', 'EINVAL'];

const BROKEN = /connection broke|in time/;

const broken = (
	name: string,
	at: Moment,
	error: Breakage['error'],
	then: MatrixFault['then'],
	says: RegExp,
): MatrixFault => ({ name, strikes: { breaks: { at, error } }, then, says });

const midway = (at: Moment, syscall: string, codes: readonly string[]): MatrixFault[] =>
	codes.map((code) =>
		broken(`${syscall} ${code} (${at})`, at, () => systemError(syscall, code), 'unknown', BROKEN),
	);

/** Words of OpenSSL where there is no record of TLS, as Node.js 20 passes them on. */
const NO_TLS =
	'80DC4BBEBF7F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../deps/openssl/openssl/ssl/record/ssl3_record.c:354:\n';

/** Every connection that breaks on this side, by the moment at which it does. */
export const BREAKAGES: readonly MatrixFault[] = [
	...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'].map((code) =>
		broken(
			`getaddrinfo ${code}`,
			'connecting',
			() => systemError('getaddrinfo', code, ' app.example.com'),
			'no',
			/not known/,
		),
	),
	...[...SYSTEM, ...OF_CONNECTING].map((code) =>
		broken(
			`connect ${code}`,
			'connecting',
			() => systemError('connect', code, ' 192.0.2.1:8883'),
			'no',
			/cannot be reached/,
		),
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
	...midway('encrypting', 'read', ['ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH']),
	...midway('writing', 'write', SYSTEM),
	...midway('waiting', 'read', SYSTEM),
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
	...midway('reading', 'read', ['ECONNRESET', 'EHOSTUNREACH', 'ENETDOWN']),
];

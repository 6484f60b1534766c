import type { IHttpRequestOptions } from 'n8n-workflow';

/** n8n's HTTP helper, signing with the credential. */
export type HttpHelper = (options: IHttpRequestOptions) => Promise<{
	statusCode: number;
	body: unknown;
}>;

/** What came back over HTTP, whatever it says. */
export interface HttpAnswer {
	status: number;
	text: string;
}

/** Why nothing readable came back, and whether the request can have reached the service. */
export interface Silence {
	sent: 'no' | 'unknown';
	happened: string;
	advice: string;
}

/** The longest honest answer, a page of 100 sub-accounts, has some 30 KB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** A body that n8n's helper hands over unread. */
interface BodyStream extends AsyncIterable<Buffer> {
	destroy(): void;
}

class Overlong extends Error {}
class Overdue extends Error {}

/**
 * Sends one request exactly once and reads the whole answer, within a time and a size: the
 * helper's own time-out ends with the headers. Never follows a redirect, never signs again.
 *
 * @param timeout milliseconds from now to the last byte of the answer
 */
export async function exchange(
	http: HttpHelper,
	request: Pick<IHttpRequestOptions, 'method' | 'url' | 'headers' | 'body'>,
	timeout: number,
): Promise<HttpAnswer | Silence> {
	const deadline = AbortSignal.timeout(timeout);
	let body: BodyStream | undefined;
	const readAnswer = async (): Promise<HttpAnswer> => {
		const answer = await http({
			...request,
			timeout,
			// Unread, unparsed, whatever its status: ids are longer than a JSON number, and on
			// HTTP 401 n8n would sign and send once more.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		body = answer.body as BodyStream;
		if (deadline.aborted) body.destroy();
		return { status: answer.statusCode, text: await readText(body) };
	};
	try {
		return await within(deadline, readAnswer());
	} catch (cause) {
		body?.destroy();
		return silenceAfter(cause);
	}
}

async function within<T>(deadline: AbortSignal, work: Promise<T>): Promise<T> {
	let giveUp = () => {};
	try {
		return await new Promise((resolve, reject) => {
			giveUp = () => reject(new Overdue());
			deadline.addEventListener('abort', giveUp, { once: true });
			work.then(resolve, reject);
		});
	} finally {
		// The signal outlives a quick answer by far, and would keep it in memory.
		deadline.removeEventListener('abort', giveUp);
	}
}

async function readText(body: BodyStream): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > MAX_ANSWER_BYTES) throw new Overlong();
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

const CHECK_BASE_URL =
	'Check the Base URL in the credential, and whether n8n may reach the internet.';
const CHECK_CERTIFICATE =
	'Check the Base URL in the credential. If a proxy of your company opens encrypted connections, n8n has to trust its certificate.';

/** Failures that Node.js reports before a request can have left. The first row that fits counts. */
const NOTHING_SENT: ReadonlyArray<readonly [RegExp, string, string]> = [
	[
		/ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME/,
		'The address of the service is not known',
		CHECK_BASE_URL,
	],
	[/ECONNREFUSED/, 'Nothing answers at the address of the service', CHECK_BASE_URL],
	[
		/EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN|EHOSTDOWN|connect ETIMEDOUT/,
		'The service cannot be reached from here',
		CHECK_BASE_URL,
	],
	[
		/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
		'The certificate of the service is not valid today',
		CHECK_CERTIFICATE,
	],
	[
		/ERR_TLS_CERT_ALTNAME_INVALID|HOSTNAME_MISMATCH/,
		'The certificate belongs to another address than the Base URL',
		CHECK_CERTIFICATE,
	],
	[
		/SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT|CERT_UNTRUSTED|CERT_REVOKED|CERT_SIGNATURE_FAILURE/,
		'The certificate of the service comes from nobody this n8n trusts',
		CHECK_CERTIFICATE,
	],
	[
		/wrong version number|WRONG_VERSION_NUMBER|before secure TLS connection was established/,
		'No encrypted connection could be made',
		CHECK_BASE_URL,
	],
];

function silenceAfter(cause: unknown): Silence {
	if (cause instanceof Overdue) {
		return {
			sent: 'unknown',
			happened: 'The service did not answer in time',
			advice: 'The option Timeout sets how long to wait.',
		};
	}
	if (cause instanceof Overlong) {
		return {
			sent: 'unknown',
			happened: 'The answer is far too long to come from the service',
			advice: CHECK_BASE_URL,
		};
	}
	const traces = tracesOf(cause);
	const row = NOTHING_SENT.find(([pattern]) => pattern.test(traces));
	if (row) return { sent: 'no', happened: row[1], advice: row[2] };
	return {
		sent: 'unknown',
		happened: /ECONNABORTED|ETIMEDOUT|timeout/i.test(traces)
			? 'The service did not answer in time'
			: 'The connection broke before the answer was complete',
		advice: '',
	};
}

/**
 * What an exception says of itself. Depending on its version n8n wraps the original and moves its
 * code about, so every place is looked at.
 */
function tracesOf(cause: unknown, depth = 0): string {
	if (typeof cause !== 'object' || cause === null || depth > 4) return '';
	const { code, httpCode, message, messages, cause: inner } = cause as Record<string, unknown>;
	return [code, httpCode, message, messages, tracesOf(inner, depth + 1)].flat().join(' ');
}

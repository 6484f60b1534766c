import { randomUUID } from 'crypto';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';

import { withDeadline } from '../util/concurrency';

/** n8n's HTTP helper, which signs with the credential. */
export type HttpHelper = (options: IHttpRequestOptions) => Promise<{
	statusCode: number;
	body: unknown;
}>;

/**
 * Gives n8n's HTTP helper, which signs with the node's credential, and respects proxies and n8n's own
 * protections. Specification section 5.
 */
export function createSignedHttp(context: IExecuteFunctions | ILoadOptionsFunctions): HttpHelper {
	return async (request) =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'yuntongxunApi', request);
}

/** What goes out, before it is signed. */
export type HttpRequest = Pick<IHttpRequestOptions, 'method' | 'url' | 'qs' | 'headers' | 'body'>;

/** An answer over HTTP, not necessarily from the service. */
export interface HttpAnswer {
	kind: 'answer';
	status: number;
	text: string;
}

/** How many bytes of an answer are read: a page of 100 sub-accounts has some 30 KB. */
export const MAX_ANSWER_BYTES = 256 * 1024;

/** Limits of one exchange. */
interface ExchangeLimits {
	/** Milliseconds from now to the last byte of the answer. */
	timeout: number;
	/** A longer answer counts as none. */
	maxAnswerBytes: number;
}

/** The body of an answer, still unread. */
interface BodyStream extends AsyncIterable<Buffer> {
	destroy(): void;
}

/** Why there is no answer: error codes and messages of the connection. */
export interface NoAnswer {
	kind: 'noAnswer';
	traces: readonly string[];
}

/** n8n certainly never got to signing the request, so nothing was sent. */
export interface Unsigned {
	kind: 'unsigned';
}

/** The member of a request's options that names it until it is signed. Survives any copy. */
export const MARK = 'yuntongxunRequest';

/** A request that its sender has given up must not leave any more. */
class GivenUp extends Error {
	constructor() {
		super('The node has given up this request, so it was not signed');
	}
}

/**
 * Tells which requests were signed. n8n reads the credential from its database for each of them, and
 * if that fails nothing leaves: what was never signed was never sent. Trusted only once a mark has
 * arrived here: then n8n passes them on, and a missing one means something.
 */
class SigningWatch {
	/** Tells the marks of this copy of the package from those of another, as after an update. */
	private readonly prefix = `${randomUUID()} `;

	private count = 0;

	private hasSeenMark = false;

	/** The requests under way: whether each was signed. */
	private readonly requests = new Map<string, boolean>();

	/** Begins to watch a request. @returns its mark */
	begin(): string {
		this.count += 1;
		const mark = `${this.prefix}${this.count}`;
		this.requests.set(mark, false);
		return mark;
	}

	/** Notes that a request is being signed. @throws GivenUp if nobody waits for it any more */
	noteSigned(mark: unknown): void {
		if (typeof mark !== 'string' || !mark.startsWith(this.prefix)) return;
		this.hasSeenMark = true;
		if (!this.requests.has(mark)) throw new GivenUp();
		this.requests.set(mark, true);
	}

	/** Ends the watch: from now on the request is not signed. @returns whether it certainly never was */
	end(mark: string): boolean {
		const isSigned = this.requests.get(mark) === true;
		this.requests.delete(mark);
		return this.hasSeenMark && !isSigned;
	}
}

/** The requests of this process. */
export const signingWatch = new SigningWatch();

/**
 * Sends a request exactly once and reads the whole answer, within limits of time and size. (The
 * helper's own timeout covers the headers only.) Never follows a redirect, never signs again.
 *
 * @returns the answer; {@link NoAnswer} if there is none that could be read to its end
 */
export async function exchange(
	http: HttpHelper,
	request: HttpRequest,
	{ timeout, maxAnswerBytes }: ExchangeLimits,
): Promise<HttpAnswer | NoAnswer | Unsigned> {
	const deadline = AbortSignal.timeout(timeout);
	const mark = signingWatch.begin();
	let body: BodyStream | undefined;
	const readAnswer = async (): Promise<HttpAnswer> => {
		const marked: IHttpRequestOptions & { [MARK]: string } = {
			...request,
			[MARK]: mark,
			timeout,
			// As a stream, whatever the status: n8n would lose digits of long ids when it parses JSON, and
			// sign and send again on HTTP 401.
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		};
		const answer = await http(marked);
		body = answer.body as BodyStream;
		// The catch below came before there was a body.
		if (deadline.aborted) body.destroy();
		return {
			kind: 'answer',
			status: answer.statusCode,
			text: await readText(body, maxAnswerBytes),
		};
	};
	try {
		return await withDeadline(deadline, readAnswer());
	} catch (cause) {
		body?.destroy();
		if (signingWatch.end(mark)) return { kind: 'unsigned' };
		return { kind: 'noAnswer', traces: collectTraces(cause) };
	} finally {
		signingWatch.end(mark);
	}
}

async function readText(body: BodyStream, maxBytes: number): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of body) {
		size += chunk.length;
		if (size > maxBytes) throw new Error('answer too large');
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString('utf8');
}

/** How many nested causes to look at: n8n wraps axios, which wraps Node.js. */
const MAX_CAUSES = 4;

/**
 * Collects codes and messages of an exception. n8n wraps the original and moves them around,
 * differently in each generation, so look everywhere.
 */
function collectTraces(cause: unknown, depth = 0): string[] {
	if (typeof cause !== 'object' || cause === null || depth > MAX_CAUSES) return [];
	const { code, httpCode, message, messages, description, cause: inner } = cause as IDataObject;
	const own = [code, httpCode, message, description, messages].flat();
	return [...own.filter((each) => typeof each === 'string'), ...collectTraces(inner, depth + 1)];
}

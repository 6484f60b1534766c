import { Readable } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { HttpHelper } from '../../nodes/Yuntongxun/client/client';

/** A helper that gives the same answer to every request, and what it was asked for. */
export interface FakeHttp {
	http: HttpHelper;
	requests: IHttpRequestOptions[];
}

/** Answers with a status and a body; the body comes in the given chunks. */
export function answering(statusCode: number, ...chunks: Array<string | Buffer>): FakeHttp {
	return fakeHttp(async () => ({
		statusCode,
		body: Readable.from(chunks.map((chunk) => Buffer.from(chunk))),
	}));
}

/** Fails as n8n's helper does. */
export function failing(thrown: unknown): FakeHttp {
	return fakeHttp(async () => {
		throw thrown;
	});
}

export function fakeHttp(http: HttpHelper): FakeHttp {
	const requests: IHttpRequestOptions[] = [];
	return {
		requests,
		http: async (options) => {
			requests.push(options);
			return await http(options);
		},
	};
}

import { Readable } from 'node:stream';
import { LoadOptionsContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createClient } from '../../nodes/Yuntongxun/client/client';
import { parseCredential } from '../../nodes/Yuntongxun/client/credential';
import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { createSignedHttp } from '../../nodes/Yuntongxun/client/transport';
import type { HttpHelper } from '../../nodes/Yuntongxun/client/transport';
import { additionalDataFor, buildWorkflow, node, TYPES } from '../../test/support/engine';
import { describeShape, type Format, type Shape } from './shape';

/** The credential of an account, as a stored credential of n8n holds it. */
export interface LiveCredential {
	readonly accountSid: string;
	readonly authToken: string;
	readonly appId: string;
	readonly baseUrl: string;
}

/**
 * The credential that the environment names.
 *
 * @throws Error that names what is missing or wrong; never shows a value of the environment
 */
export function readCredential(env: NodeJS.ProcessEnv): LiveCredential {
	const NAMES = ['ACCOUNT_SID', 'AUTH_TOKEN', 'APP_ID'].map((name) => `YUNTONGXUN_${name}`);
	const [accountSid, authToken, appId] = NAMES.map((name) => env[name]?.trim() ?? '');
	const missing = NAMES.filter((name) => !env[name]?.trim());
	if (missing.length > 0) throw new Error(`Not set: ${missing.join(', ')}`);
	const baseUrl = env.YUNTONGXUN_BASE_URL?.trim() || 'https://app.cloopen.com:8883';
	if (!/^https:\/\/[^\s/]/.test(baseUrl) || !URL.canParse(baseUrl)) {
		throw new Error('YUNTONGXUN_BASE_URL must begin with https://');
	}
	return { accountSid, authToken, appId, baseUrl };
}

/** One request of the package and what came back, without anything that is secret. */
export interface Asked {
	/** HTTP status, content type, and the parts of the body. */
	readonly shape: Shape;
	/** What the package's own client makes of it: `success`, or its words for the failure. */
	readonly verdict: string;
	/** A field of the result; empty if it is missing. */
	readonly text: (field: string) => string;
}

const TIMEOUT_MS = 30_000;

const readMediaType = (headers: unknown): string =>
	String((headers as Record<string, unknown> | undefined)?.['content-type'] ?? 'none');

/** n8n's own HTTP helper, signing with the package's credential. */
async function createHttp(credential: ICredentialDataDecryptedObject): Promise<HttpHelper> {
	const caller = node('Yuntongxun', TYPES.action);
	const workflow = await buildWorkflow([caller], {});
	const additionalData = additionalDataFor(workflow, credential);
	return createSignedHttp(new LoadOptionsContext(workflow, caller, additionalData, ''));
}

/**
 * Makes one request with the package's own service client, through n8n's own HTTP helper.
 *
 * @param fields of the request's body
 */
export async function ask(
	credential: LiveCredential,
	format: Format,
	endpoint: Endpoint,
	fields: Record<string, string>,
): Promise<Asked> {
	const stored = { ...credential, softVersion: '2013-12-26', wireFormat: format };
	const http = await createHttp(stored);
	let shape: Shape = new Map([['(answer)', 'none']]);
	const listening: HttpHelper = async (request) => {
		const answer = await http(request);
		const body = await Readable.from(answer.body as Readable).toArray();
		const bytes = Buffer.concat(body as Buffer[]);
		shape = new Map([
			['(HTTP status)', String(answer.statusCode)],
			['(Content-Type)', readMediaType((answer as { headers?: unknown }).headers)],
			...describeShape(bytes.toString('utf8'), format),
		]);
		return { ...answer, body: Readable.from([bytes]) };
	};
	const send = createClient(parseCredential(stored), listening, TIMEOUT_MS);
	try {
		const answer = await send({ endpoint, fields });
		return { shape, verdict: 'success', text: answer.text };
	} catch (error) {
		return { shape, verdict: (error as Error).message, text: () => '' };
	}
}

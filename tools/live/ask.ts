import 'reflect-metadata';
import '../../test/support/engine/environment';

import { Readable } from 'node:stream';
import { LoadOptionsContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	INode,
	INodeType,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { createClient } from '../../nodes/Yuntongxun/client/client';
import { parseCredential } from '../../nodes/Yuntongxun/client/credential';
import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { createSignedHttp } from '../../nodes/Yuntongxun/client/transport';
import type { HttpHelper } from '../../nodes/Yuntongxun/client/transport';
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

const CREDENTIAL_TYPE = 'yuntongxunApi';

const NODE: INode = {
	id: 'live',
	name: 'Yuntongxun',
	type: 'live',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { [CREDENTIAL_TYPE]: { id: '1', name: 'Account' } },
};

/** All of a node that n8n needs to send requests in its name. */
const NODE_TYPE = {
	description: { credentials: [{ name: CREDENTIAL_TYPE, required: true }], properties: [] },
} as unknown as INodeType;

/** n8n's own HTTP helper, signing with the package's credential. */
function httpHelper(credential: ICredentialDataDecryptedObject): HttpHelper {
	const { authenticate, properties } = new YuntongxunApi();
	const credentialsHelper = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		authenticate: async (
			data: ICredentialDataDecryptedObject,
			_type: string,
			options: IHttpRequestOptions,
		) => (typeof authenticate === 'function' ? await authenticate(data, options) : options),
		preAuthentication: async () => undefined,
		getDecrypted: async () => ({ ...credential }),
		getCredentialsProperties: () => properties,
	} as Partial<ICredentialsHelper> as ICredentialsHelper;
	const nodeTypes = {
		getByName: () => NODE_TYPE,
		getByNameAndVersion: () => NODE_TYPE,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [NODE], connections: {}, active: false, nodeTypes });
	const additionalData = { credentialsHelper } as Partial<IWorkflowExecuteAdditionalData>;
	return createSignedHttp(
		new LoadOptionsContext(workflow, NODE, additionalData as IWorkflowExecuteAdditionalData, ''),
	);
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
	const http = httpHelper(stored);
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

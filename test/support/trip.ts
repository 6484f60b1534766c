import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { createClient } from '../../nodes/Yuntongxun/client/client';
import type { HttpHelper } from '../../nodes/Yuntongxun/client/client';
import { createAccountReader } from '../../nodes/Yuntongxun/client/credential';
import { signRequest } from '../../nodes/Yuntongxun/client/signing';
import { validateItem, createFormReader } from '../../nodes/Yuntongxun/executor/readItem';
import { findOperation } from '../../nodes/Yuntongxun/operation/defineOperation';
import { ValidationError } from '../../nodes/Yuntongxun/operation/validationError';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { CREDENTIALS } from '../../simulator/accounts';
import { readEnvelope } from '../../simulator/envelope';
import { readJsonBody } from '../../simulator/jsonBody';
import { checkFields, type RequestContent } from '../../simulator/operations';
import type { Violation } from '../../simulator/violation';
import { readXmlBody, type ReadBody } from '../../simulator/xmlBody';
import { nodeContext } from './fakeN8n';
import { runTask } from './tasks';

const NOW = Date.parse('2026-01-02T03:04:05Z');

/** A credential for the simulator's default account. */
export const CREDENTIAL: ICredentialDataDecryptedObject = {
	...CREDENTIALS,
	baseUrl: 'https://app.example.com:8883',
	softVersion: '2013-12-26',
};

/** What the simulator reads in a request. */
export interface Arrival {
	content: RequestContent;
	/** What is wrong with address, headers and the shape of the body. */
	violations: readonly Violation[];
	/** What is wrong with the values of the fields. */
	fieldViolations: readonly Violation[];
}

const NOBODY: HttpHelper = async () => {
	throw new Error('Nobody answers');
};

/**
 * Checks an item, and finds what sends its requests.
 *
 * @param parameters what the form holds, after expressions
 * @param http sends the requests; nobody answers without it
 * @throws ValidationError
 */
export function checkedItem(
	resource: string,
	operation: string,
	parameters: IDataObject,
	credential = CREDENTIAL,
	http = NOBODY,
) {
	const chosen = findOperation(RESOURCES, resource, operation);
	if (chosen === undefined) throw new Error(`There is no ${resource} ${operation}`);
	const readAccount = createAccountReader(credential);
	const context = nodeContext(parameters);
	const readForm = createFormReader(context, chosen, readAccount);
	const [item] = validateItem(chosen, readForm(0), 0);
	if (item.kind !== 'task' && item.kind !== 'message') throw new Error('It sends nothing');
	const task = item.kind === 'task' ? item.task : item.message;
	return { item, task, send: createClient(readAccount(), http, item.timeout) };
}

/** The first request that leaves for an item, signed as n8n sends it. */
async function requestFor(
	resource: string,
	operation: string,
	parameters: IDataObject,
	credential = CREDENTIAL,
): Promise<IHttpRequestOptions> {
	const requests: IHttpRequestOptions[] = [];
	const checked = checkedItem(resource, operation, parameters, credential, async (options) => {
		requests.push(signRequest(credential, options, new Date(NOW)));
		return await NOBODY(options);
	});
	const [outcome] = await Promise.allSettled([runTask(checked.task, checked.send)]);
	if (outcome.status === 'rejected' && outcome.reason instanceof ValidationError) {
		throw outcome.reason;
	}
	const [first] = requests;
	if (first === undefined) throw new Error('No request was made');
	return first;
}

/** What the simulator finds in the first request for a form, or why the form was refused. */
export async function sendThroughForm(
	resource: string,
	operation: string,
	parameters: IDataObject,
	credential = CREDENTIAL,
): Promise<Arrival | { refused: string }> {
	try {
		return readArrival(await requestFor(resource, operation, parameters, credential));
	} catch (thrown) {
		if (thrown instanceof ValidationError) return { refused: thrown.message };
		throw thrown;
	}
}

function readArrival({ method = 'GET', url, headers = {}, qs = {}, body }: IHttpRequestOptions) {
	const sent = Buffer.from(String(body ?? ''), 'utf8');
	const envelope = readEnvelope(
		{
			method,
			target: `${new URL(url).pathname}?${new URLSearchParams(qs as Record<string, string>)}`,
			rawHeaders: Object.entries(headers).flat().map(String),
			body: sent,
		},
		NOW,
	);
	const read = readSentBody(envelope, sent.toString('utf8'));
	const content = read.content ?? { fields: new Map() };
	return {
		content,
		violations: [...envelope.violations, ...read.violations],
		fieldViolations: envelope.operation ? checkFields(envelope.operation, content) : [],
	};
}

function readSentBody(envelope: ReturnType<typeof readEnvelope>, text: string): ReadBody {
	const { operation, queryFields, requestFormat } = envelope;
	if (operation === undefined) throw new Error('The simulator knows no operation at this address');
	if (operation.root === undefined) return { content: { fields: queryFields }, violations: [] };
	return requestFormat === 'xml' ? readXmlBody(text, operation) : readJsonBody(text);
}

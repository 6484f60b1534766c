import type {
	IDataObject,
	IExecuteData,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
	Logger,
} from 'n8n-workflow';

// A fake n8n for nodes, in the tests that need no engine of n8n.

export function buildNode(changes: Partial<INode> = {}): INode {
	return {
		id: '1',
		name: 'Yuntongxun',
		type: 'n8n-nodes-yuntongxun.yuntongxun',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		...changes,
	};
}

/** What n8n keeps over the tries of one run of a node. */
export function buildRun(node: INode = buildNode()): IExecuteData {
	return { node, data: {}, source: null };
}

/** One try of a run: what a node sees of n8n while it goes through its items. */
export function buildTry(
	run: IExecuteData,
	inputs: IDataObject[],
	{
		continues = false,
		log = [] as string[],
		cancelled = undefined as AbortSignal | undefined,
	} = {},
): IExecuteFunctions {
	const logger: Pick<Logger, 'info'> = { info: (line) => void log.push(line) };
	const context: Pick<
		IExecuteFunctions,
		| 'addExecutionHints'
		| 'continueOnFail'
		| 'getExecuteData'
		| 'getExecutionCancelSignal'
		| 'getInputData'
		| 'getMode'
		| 'getNode'
		| 'getWorkflow'
		| 'logger'
	> = {
		addExecutionHints: () => undefined,
		continueOnFail: () => continues,
		getExecuteData: () => run,
		getExecutionCancelSignal: () => cancelled,
		getInputData: () => inputs.map((json) => ({ json })),
		getMode: () => 'trigger',
		getNode: () => buildNode(),
		getWorkflow: () => ({ id: 'w', active: true }),
		logger: logger as Logger,
	};
	return context as IExecuteFunctions;
}

const TRIGGER = buildNode({
	id: 'Trigger',
	type: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
	webhookId: '4f9c',
});

/**
 * What a node sees of n8n while it reads the form of its only item, in production, in a workflow
 * with an active trigger.
 *
 * @param parameters what the expressions in the form come to
 */
export function nodeContext(parameters: IDataObject): IExecuteFunctions {
	const context = {
		getNode: () => buildNode(),
		getExecuteData: () => buildRun(),
		getNodeParameter: (
			name: string,
			_index: number,
			fallback: unknown,
			{ extractValue = false } = {},
		) => {
			const value = Object.hasOwn(parameters, name) ? parameters[name] : fallback;
			const isLocator = typeof value === 'object' && value !== null && Object.hasOwn(value, '__rl');
			return extractValue && isLocator ? (value as { value?: unknown }).value : value;
		},
		getInputData: () => [{ json: {} }],
		getWorkflow: () => ({ id: 'w', active: true }),
		workflow: { nodes: { Trigger: TRIGGER } },
		additionalData: { webhookBaseUrl: 'https://n8n.example.com/webhook' },
		getMode: () => 'trigger',
		evaluateExpression: () => 'https://n8n.example.com/webhook-waiting/7',
	};
	return context as unknown as IExecuteFunctions;
}

/** The answer that acknowledges what the service delivers. Specification section 6. */
export const ACKNOWLEDGEMENT =
	'<?xml version="1.0" encoding="UTF-8"?><Response><statuscode>000000</statuscode></Response>';

/** What a caller of a webhook gets to see. */
export interface Answer {
	status?: number;
	contentType?: string;
	body?: string;
	/** How often the node answered by itself. */
	count: number;
}

/** As much of Express's response as a node can use for a text; it notes down what was sent. */
export class FakeResponse {
	readonly answer: Answer = { count: 0 };

	statusCode = 200;

	writableEnded = false;

	status(status: number): this {
		this.answer.status = status;
		this.statusCode = status;
		return this;
	}

	type(contentType: string): this {
		this.answer.contentType = contentType;
		return this;
	}

	send(body: string): this {
		this.answer.body = body;
		this.answer.count++;
		this.writableEnded = true;
		return this;
	}
}

/** What became of one delivery. */
export interface Delivered {
	status: number;
	type: string;
	body: string;
	/** What n8n starts or goes on with; undefined where it does neither. */
	items: INodeExecutionData[] | undefined;
}

/** One delivery, as n8n gives it to a webhook. */
export interface Delivery {
	url: string;
	body: string | Buffer | undefined;
	contentType?: string;
	readRawBody?: () => Promise<void>;
	/** The HTTP status of n8n's answer, 200 unless given. */
	status?: number;
}

function buildRequest({ url, body, contentType, readRawBody }: Delivery) {
	const { pathname, search } = new URL(url);
	return {
		originalUrl: `${pathname}${search}`,
		url: '/',
		headers: contentType === undefined ? {} : { 'content-type': contentType },
		rawBody: body === undefined ? undefined : Buffer.from(body),
		readRawBody,
		socket: { localAddress: '127.0.0.1', localPort: 5678 },
	};
}

/**
 * Delivers to a webhook.
 *
 * @param context what the webhook sees of n8n, besides the request and the response
 */
export async function deliver(
	webhook: (context: IWebhookFunctions) => Promise<IWebhookResponseData>,
	{ url, body, contentType, readRawBody = async () => {}, status: finalStatus = 200 }: Delivery,
	context: object,
): Promise<Delivered> {
	const request = buildRequest({ url, body, contentType, readRawBody });
	const response = new FakeResponse();
	const { workflowData, noWebhookResponse, webhookResponse } = await webhook({
		getRequestObject: () => request,
		getResponseObject: () => response,
		getExecutionId: () => undefined,
		getNode: () => buildNode(),
		getWorkflow: () => ({ id: 'w' }),
		logger: { warn: () => {} },
		...context,
	} as unknown as IWebhookFunctions);
	const { status = 0, contentType: type = '', body: text = '' } = response.answer;
	const own = { status, type, body: text };
	const left = { status: 200, type, body: webhookResponse as string };

	response.statusCode = finalStatus;
	response.writableEnded = true;
	return { ...(noWebhookResponse === true ? own : left), items: workflowData?.flat() };
}

/** How n8n gives a node its credential; the node has none of another type. */
export function fakeCredential(
	stored: () => Promise<IDataObject>,
): (type: string) => Promise<IDataObject> {
	return async (type) => {
		if (type === 'yuntongxunApi') return await stored();
		throw new Error(`There is no credential of type ${type}`);
	};
}

import type {
	IDataObject,
	INodeExecutionData,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';

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
	readRawBody?: () => Promise<void>;
	/** With which n8n's answer ends, 200 unless given; undefined if the caller leaves before. */
	status?: number;
}

/**
 * Delivers to a webhook.
 *
 * @param context what the webhook sees of n8n, besides the request and the response
 * @param onAnswer called once the webhook has returned, when n8n saves static data
 */
export async function deliver(
	webhook: (context: IWebhookFunctions) => Promise<IWebhookResponseData>,
	{ url, body, readRawBody = async () => {}, ...ending }: Delivery,
	context: object,
	onAnswer: () => void = () => {},
): Promise<Delivered> {
	const answer: Delivered = { status: 0, type: '', body: '', items: undefined };
	const finished = 'status' in ending ? ending.status : 200;
	const listeners: Array<() => void> = [];
	const response = {
		statusCode: finished ?? 200,
		once(event: string, listener: () => void) {
			if (event === (finished === undefined ? 'close' : 'finish')) listeners.push(listener);
			return response;
		},
		status(status: number) {
			answer.status = status;
			return response;
		},
		type(type: string) {
			answer.type = type;
			return response;
		},
		send(text: string) {
			answer.body = text;
			return response;
		},
	};
	const { pathname, search } = new URL(url);
	const request = {
		originalUrl: `${pathname}${search}`,
		url: '/',
		rawBody: body === undefined ? undefined : Buffer.from(body),
		readRawBody,
	};
	const { workflowData, noWebhookResponse, webhookResponse } = await webhook({
		getRequestObject: () => request,
		getResponseObject: () => response,
		...context,
	} as unknown as IWebhookFunctions);
	if (noWebhookResponse !== true) Object.assign(answer, { status: 200, body: webhookResponse });
	onAnswer();
	for (const listener of listeners) listener();
	return { ...answer, items: workflowData?.flat() };
}

/** n8n's way to the credential of a node, which has none of another type. */
export function fakeCredential(
	stored: () => Promise<IDataObject>,
): (type: string) => Promise<IDataObject> {
	return async (type) => {
		if (type === 'yuntongxunApi') return await stored();
		throw new Error(`There is no credential of type ${type}`);
	};
}

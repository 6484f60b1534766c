import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

/**
 * The least that a node can do to send something for each item: n8n's own HTTP helper, signing with
 * the credential, a fixed number at a time. No check, no care for failures. What every other node
 * is measured against.
 */
export class BareHelper implements INodeType {
	readonly description: INodeTypeDescription = {
		displayName: 'Bare Helper',
		name: 'bareHelper',
		group: ['output'],
		version: 1,
		description: "Sends each item's request with n8n's HTTP helper",
		defaults: { name: 'Bare Helper' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'yuntongxunApi', required: true }],
		properties: [
			{ displayName: 'URL', name: 'url', type: 'string', default: '' },
			{ displayName: 'Fields', name: 'fields', type: 'json', default: '{}' },
			{ displayName: 'To', name: 'to', type: 'string', default: '' },
			{ displayName: 'Width', name: 'width', type: 'number', default: 1 },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData();
		const url = this.getNodeParameter('url', 0) as string;
		const fields = JSON.parse(this.getNodeParameter('fields', 0) as string) as IDataObject;
		const width = this.getNodeParameter('width', 0) as number;
		// Where To is filled in, n8n works it out for every item, all before the first request.
		const reads = this.getNodeParameter('to', 0) !== '';
		const numbers = items.map(({ json }, index) =>
			reads ? this.getNodeParameter('to', index) : json.to,
		);
		const output: INodeExecutionData[] = [];
		let next = 0;
		const work = async () => {
			while (next < items.length) {
				const index = next++;
				const body = JSON.stringify({ ...fields, to: numbers[index] });
				const request: IHttpRequestOptions = {
					method: 'POST',
					url,
					headers: {
						Accept: 'application/json',
						'Content-Type': 'application/json;charset=utf-8',
						'Content-Length': String(Buffer.byteLength(body)),
					},
					body,
				};
				const answer = (await this.helpers.httpRequestWithAuthentication.call(
					this,
					'yuntongxunApi',
					request,
				)) as string | IDataObject;
				const json = typeof answer === 'string' ? (JSON.parse(answer) as IDataObject) : answer;
				output[index] = { json, pairedItem: { item: index } };
			}
		};
		await Promise.all(Array.from({ length: width }, work));
		return [output];
	}
}

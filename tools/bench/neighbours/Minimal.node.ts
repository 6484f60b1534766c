import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

/**
 * The least a node can do for each item: a request through n8n's HTTP helper, signed with the
 * credential, a fixed number at a time, with no checks and no error handling. The benchmarks compare
 * every other node with it.
 */
export class Minimal implements INodeType {
	readonly description: INodeTypeDescription = {
		displayName: 'Minimal',
		name: 'minimal',
		group: ['output'],
		version: 1,
		description: "Sends each item's request with n8n's HTTP helper",
		defaults: { name: 'Minimal' },
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
		// If To is filled in, n8n evaluates it for every item before the first request.
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

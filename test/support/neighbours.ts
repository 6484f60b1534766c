import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

const description = (name: string): INodeTypeDescription => ({
	displayName: name,
	name,
	group: ['transform'],
	version: 1,
	description: 'Stands beside the node under test',
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties: [{ displayName: 'Items', name: 'items', type: 'json', default: '[]' }],
});

const readItems = (context: IExecuteFunctions): INodeExecutionData[] =>
	(
		JSON.parse(context.getNodeParameter('items', 0) as string) as Array<INodeExecutionData['json']>
	).map((json, item) => ({ json, pairedItem: { item } }));

/** Outputs the items in its parameter, like a manual trigger with pinned data. */
export class Start implements INodeType {
	description = { ...description('start'), inputs: [] };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [readItems(this)];
	}
}

/** Uses its one tool once for each of its items, as an AI agent may. */
export class Agent implements INodeType {
	description = {
		...description('agent'),
		inputs: [
			{ type: NodeConnectionTypes.Main },
			{ type: NodeConnectionTypes.AiTool, displayName: 'Tool' },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const [tool] = [await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0)].flat() as [
			{ invoke(args: unknown): Promise<unknown> },
		];
		const answers: INodeExecutionData[] = [];
		for (const { json } of readItems(this)) {
			const answer = await tool.invoke(json).catch((error: unknown) => String(error));
			answers.push({ json: { answer: String(answer) } });
		}
		return [answers];
	}
}

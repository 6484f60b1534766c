import type { IDataObject, IExecuteData, IExecuteFunctions, INode } from 'n8n-workflow';

export function nodeOf(changes: Partial<INode> = {}): INode {
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
export function runOf(node: INode = nodeOf()): IExecuteData {
	return { node, data: {}, source: null };
}

/** One try of a run: what a node sees of n8n while it goes through its items. */
export function tryOf(
	run: IExecuteData,
	inputs: IDataObject[],
	{ continues = false, node = nodeOf(), hints = [] as string[] } = {},
): IExecuteFunctions {
	const context: Pick<
		IExecuteFunctions,
		'addExecutionHints' | 'continueOnFail' | 'getExecuteData' | 'getInputData' | 'getNode'
	> = {
		addExecutionHints: (...given) => void hints.push(...given.map(({ message }) => message)),
		continueOnFail: () => continues,
		getExecuteData: () => run,
		getInputData: () => inputs.map((json) => ({ json })),
		getNode: () => node,
	};
	return context as IExecuteFunctions;
}

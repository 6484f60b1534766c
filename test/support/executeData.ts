import type { IDataObject, IExecuteData, IExecuteFunctions, INode, Logger } from 'n8n-workflow';

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
		node = buildNode(),
		hints = [] as string[],
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
		| 'getNode'
		| 'logger'
	> = {
		addExecutionHints: (...given) => void hints.push(...given.map(({ message }) => message)),
		continueOnFail: () => continues,
		getExecuteData: () => run,
		getExecutionCancelSignal: () => cancelled,
		getInputData: () => inputs.map((json) => ({ json })),
		getNode: () => node,
		logger: logger as Logger,
	};
	return context as IExecuteFunctions;
}

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from './engine';

/** Parameters of the node for one operation. */
export function operation(
	resource: string,
	name: string,
	parameters: INodeParameters = {},
	options: INodeParameters = {},
): INodeParameters {
	return { resource, operation: name, ...parameters, options };
}

/** The items of a run. @throws Error if something stopped it */
export function getItems({ outputs, error }: NodeRun, output = 0): INodeExecutionData[] {
	if (error) throw new Error(`The node stopped: ${error.message}`);
	return outputs[output] ?? [];
}

export const getJson = (run: NodeRun, output = 0): Array<INodeExecutionData['json']> =>
	getItems(run, output).map(({ json }) => json);

/** Parameters whose requests start one after the other. */
export const oneByOne = ({ options, ...parameters }: INodeParameters): INodeParameters => ({
	...parameters,
	options: { ...(options as INodeParameters), requestsPerSecond: 5 },
});

/** What is in the error item of an item that failed. */
export interface ErrorReport {
	message: string;
	statusCode: string;
	statusMsg: string;
	accepted?: string;
	to?: string;
}

/** The report of an item that failed. @throws Error if it did not */
export function readReport(json: INodeExecutionData['json'] | undefined): ErrorReport {
	if (typeof json?.error !== 'object') throw new Error(`Did not fail: ${JSON.stringify(json)}`);
	return json.error as unknown as ErrorReport;
}

import { NodeConnectionTypes } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { executeOperation } from './action';
import { RESOURCES } from './resources';
import { propertiesOf } from './resources/properties';
import { searchSubAccounts } from './resources/subAccount/search';

export class Yuntongxun implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Yuntongxun',
		name: 'yuntongxun',
		icon: { light: 'file:yuntongxun.svg', dark: 'file:yuntongxun.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Call phones, send texts and manage accounts with Yuntongxun (容联云通讯, Cloopen)',
		defaults: { name: 'Yuntongxun' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'yuntongxunApi', required: true }],
		properties: propertiesOf(RESOURCES, 'call'),
	};

	methods = { listSearch: { searchSubAccounts } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await executeOperation(this)];
	}
}

import type { IDataObject, IHookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { prepareTrigger } from '../../../nodes/Yuntongxun/trigger/activation';
import { nodeOf } from '../../support/executeData';

/** A trigger as n8n asks it before it listens. */
function triggerWith(
	options: IDataObject,
	credential?: string,
	mode: WorkflowExecuteMode = 'trigger',
) {
	const staticData: IDataObject = {};
	const credentials = credential && { [credential]: { id: '1', name: 'Account' } };
	const context = {
		getMode: () => mode,
		getNode: () => nodeOf({ ...(credentials && { credentials }) }),
		getNodeParameter: () => options,
		getWorkflow: () => ({ id: 'activation' }),
		getWorkflowStaticData: () => staticData,
	} as unknown as IHookFunctions;
	return { context, staticData };
}

describe('A trigger that checks signatures', () => {
	it.each<[WorkflowExecuteMode, string | undefined]>([
		['trigger', undefined],
		['manual', undefined],
		['trigger', 'otherApi'],
	])('is not activated without its credential (%s, %s)', async (mode, credential) => {
		const { context } = triggerWith({ requireSignedUrl: true }, credential, mode);
		await expect(prepareTrigger(context)).rejects.toThrow(
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	});

	it('is activated with it', async () => {
		const { context } = triggerWith({ requireSignedUrl: true }, 'yuntongxunApi');
		await expect(prepareTrigger(context)).resolves.toBeUndefined();
	});
});

it('A trigger writes nothing into static data when n8n activates it', async () => {
	const { context, staticData } = triggerWith({});
	await prepareTrigger(context);
	expect(staticData).toEqual({});
});

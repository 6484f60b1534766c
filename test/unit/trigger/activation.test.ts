import type { IDataObject, IHookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { YuntongxunTrigger } from '../../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { buildNode } from '../../support/fakeN8n';

/** A trigger as n8n asks it before it listens. */
function triggerWith(
	options: IDataObject,
	credential?: string,
	mode: WorkflowExecuteMode = 'trigger',
) {
	const credentials = credential && { [credential]: { id: '1', name: 'Account' } };
	return {
		getMode: () => mode,
		getNode: () => buildNode({ ...(credentials && { credentials }) }),
		getNodeParameter: () => options,
	} as unknown as IHookFunctions;
}

const { create } = new YuntongxunTrigger().webhookMethods.default;

describe('A trigger that checks signatures', () => {
	it.each<[WorkflowExecuteMode, string | undefined]>([
		['trigger', undefined],
		['manual', undefined],
		['trigger', 'otherApi'],
	])('is not activated without its credential (%s, %s)', async (mode, credential) => {
		const context = triggerWith({ requireSignedUrl: true }, credential, mode);
		await expect(create.call(context)).rejects.toThrow(
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	});

	it('is activated with it', async () => {
		const context = triggerWith({ requireSignedUrl: true }, 'yuntongxunApi');
		expect(await create.call(context)).toBe(true);
	});
});

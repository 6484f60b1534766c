import type { IDataObject, IHookFunctions, WorkflowExecuteMode } from 'n8n-workflow';

import { prepareTrigger } from '../../../nodes/Yuntongxun/trigger/activation';
import { nodeOf } from '../../support/executeData';

/** A trigger as n8n asks it before it listens. */
function triggerWith(
	options: IDataObject,
	credential?: string,
	mode: WorkflowExecuteMode = 'trigger',
) {
	const credentials = credential && { [credential]: { id: '1', name: 'Account' } };
	return {
		getMode: () => mode,
		getNode: () => nodeOf({ ...(credentials && { credentials }) }),
		getNodeParameter: () => options,
	} as unknown as IHookFunctions;
}

describe('A trigger that checks signatures', () => {
	it.each<[WorkflowExecuteMode, string | undefined]>([
		['trigger', undefined],
		['manual', undefined],
		['trigger', 'otherApi'],
	])('is not activated without its credential (%s, %s)', (mode, credential) => {
		const context = triggerWith({ requireSignedUrl: true }, credential, mode);
		expect(() => prepareTrigger(context)).toThrow(
			'Require Signed URL needs a Yuntongxun API credential: choose the account that makes the calls',
		);
	});

	it('is activated with it', () => {
		const context = triggerWith({ requireSignedUrl: true }, 'yuntongxunApi');
		expect(() => prepareTrigger(context)).not.toThrow();
	});
});

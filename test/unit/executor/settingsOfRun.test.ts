import type { IDataObject } from 'n8n-workflow';

import { runSettings, settingsOfRun } from '../../../nodes/Yuntongxun/executor/validateItem';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { operationOf } from '../../../nodes/Yuntongxun/resources';
import { formOf } from '../support/form';

const settingsFor = (resource: string, operation: string, options: IDataObject) => {
	const known = operationOf(resource, operation);
	if (known === undefined) throw new Error(`There is no ${resource} ${operation}`);
	return {
		ofItem: () => runSettings(known, formOf({}, { options })),
		ofRun: () => settingsOfRun(known, () => formOf({}, { options })),
	};
};

const DEFAULTS = { rate: { concurrency: 10, perSecond: 0 }, combine: false };
const CHOSEN = { maxConcurrency: 3, requestsPerSecond: 5, combineItems: true };

it.each<[string, string, IDataObject, object]>([
	['sms', 'send', {}, DEFAULTS],
	['sms', 'send', CHOSEN, { rate: { concurrency: 3, perSecond: 5 }, combine: true }],
	['call', 'notify', CHOSEN, { rate: { concurrency: 3, perSecond: 5 }, combine: false }],
	['subAccount', 'getAll', CHOSEN, DEFAULTS],
])('%s.%s with %j', (resource, operation, options, expected) => {
	const { ofItem, ofRun } = settingsFor(resource, operation, options);
	expect([ofItem(), ofRun()]).toEqual([expected, expected]);
});

it('a wrong setting fails its item, and the run uses the defaults', () => {
	const { ofItem, ofRun } = settingsFor('sms', 'send', { ...CHOSEN, maxConcurrency: 0 });
	expect(ofItem).toThrow(ValidationError);
	expect(ofRun()).toEqual(DEFAULTS);
});

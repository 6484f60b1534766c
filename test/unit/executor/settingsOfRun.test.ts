import type { IDataObject } from 'n8n-workflow';

import { settingsOfRun } from '../../../nodes/Yuntongxun/executor/validateItem';
import { operationOf } from '../../../nodes/Yuntongxun/resources';
import { formOf } from '../support/form';

const settingsFor = (resource: string, operation: string, options: IDataObject) => {
	const known = operationOf(resource, operation);
	if (known === undefined) throw new Error(`There is no ${resource} ${operation}`);
	return settingsOfRun(known, () => formOf({}, { options }));
};

const DEFAULTS = { concurrency: 10, perSecond: 0, combine: false };
const CHOSEN = { maxConcurrency: 3, requestsPerSecond: 5, combineItems: true };

it.each<[string, string, IDataObject, object]>([
	['sms', 'send', {}, DEFAULTS],
	['sms', 'send', CHOSEN, { concurrency: 3, perSecond: 5, combine: true }],
	['call', 'notify', CHOSEN, { concurrency: 3, perSecond: 5, combine: false }],
	['subAccount', 'getAll', CHOSEN, DEFAULTS],
	['sms', 'send', { ...CHOSEN, maxConcurrency: 0 }, DEFAULTS],
	[
		'sms',
		'send',
		{ ...CHOSEN, dryRun: 'neither' },
		{ concurrency: 3, perSecond: 5, combine: true },
	],
])('%s.%s with %j', (resource, operation, options, expected) => {
	expect(settingsFor(resource, operation, options)).toEqual(expected);
});

import type { IDataObject } from 'n8n-workflow';

import { findAcknowledgement } from '../../../nodes/Yuntongxun/operation/output';

describe('findAcknowledgement', () => {
	const CREATED = { statusCode: '000000', subAccountSid: 's1', subToken: 'secret' };

	it.each<[string, IDataObject, IDataObject | undefined, string]>([
		[
			'a call',
			{ statusCode: '000000', callSid: 'c1', dateCreated: 'd', to: '13800000000' },
			{ statusCode: '000000', to: '13800000000', callSid: 'c1' },
			'callSid',
		],
		[
			'a new sub-account, without its secrets',
			{ ...CREATED, voipPwd: 'secret', created: true },
			{ statusCode: '000000', subAccountSid: 's1' },
			'subAccountSid',
		],
		[
			'a sub-account that was there before',
			{ ...CREATED, created: false },
			undefined,
			'subAccountSid',
		],
		['what the service did not answer', { dryRun: true, to: '13800000000' }, undefined, ''],
	])('the acknowledgement of %s', (_what, output, receipt, id) => {
		expect(findAcknowledgement(output, id)).toEqual(receipt);
	});
});

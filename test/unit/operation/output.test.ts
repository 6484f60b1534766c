import type { IDataObject } from 'n8n-workflow';

import { readFields, findAcknowledgement } from '../../../nodes/Yuntongxun/operation/output';
import type { Answer } from '../../../nodes/Yuntongxun/client/request';

const fakeAnswer = (fields: Record<string, string>): Answer => ({
	statusCode: '000000',
	text: (name) => fields[name] ?? '',
	records: [],
});

it('readFields gives the named fields in order, missing ones as empty text', () => {
	const answer = fakeAnswer({ callSid: 'c1', statusCode: '000000', secret: 'x' });
	const fields = readFields(answer, ['statusCode', 'callSid', 'dateCreated']);
	expect(Object.entries(fields)).toEqual([
		['statusCode', '000000'],
		['callSid', 'c1'],
		['dateCreated', ''],
	]);
});

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
			'a text',
			{ statusCode: '000000', smsMessageSid: 'm1', createdAt: 'd', to: '13800000000' },
			{ statusCode: '000000', to: '13800000000', smsMessageSid: 'm1' },
			'smsMessageSid',
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
		[
			'a sub-account that was closed',
			{ statusCode: '000000', subAccountSid: 's1', closed: true },
			{ statusCode: '000000', subAccountSid: 's1' },
			'subAccountSid',
		],
		['what the service did not answer', { dryRun: true, to: '13800000000' }, undefined, ''],
	])('the acknowledgement of %s', (_what, output, receipt, id) => {
		expect(findAcknowledgement(output, id)).toEqual(receipt);
	});
});

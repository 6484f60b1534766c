import type { IDataObject } from 'n8n-workflow';

import {
	readFields,
	pickIds,
	findAcknowledgement,
} from '../../../nodes/Yuntongxun/operation/output';
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

	it.each<[string, IDataObject, IDataObject | undefined]>([
		[
			'a call',
			{ statusCode: '000000', callSid: 'c1', dateCreated: 'd', to: '13800000000' },
			{ statusCode: '000000', to: '13800000000', callSid: 'c1' },
		],
		[
			'a text',
			{ statusCode: '000000', smsMessageSid: 'm1', createdAt: 'd', to: '13800000000' },
			{ statusCode: '000000', to: '13800000000', smsMessageSid: 'm1' },
		],
		[
			'a new sub-account, without its secrets',
			{ ...CREATED, voipPwd: 'secret', created: true },
			{ statusCode: '000000', subAccountSid: 's1' },
		],
		['a sub-account that was there before', { ...CREATED, created: false }, undefined],
		[
			'a sub-account that was closed',
			{ statusCode: '000000', subAccountSid: 's1', closed: true },
			{ statusCode: '000000', subAccountSid: 's1' },
		],
		['what the service did not answer', { dryRun: true, to: '13800000000' }, undefined],
	])('the acknowledgement of %s', (_what, output, receipt) => {
		expect(findAcknowledgement(output)).toEqual(receipt);
	});
});

test('pickIds gives the IDs without the phone numbers', () => {
	expect(pickIds({ statusCode: '000000', to: '13800000000', callSid: 'c1' })).toEqual({
		callSid: 'c1',
	});
});

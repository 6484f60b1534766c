import type { IDataObject } from 'n8n-workflow';

import { acceptRehearsed } from '../../../nodes/Yuntongxun/executor/rehearse';
import { toCallEvent } from '../../../nodes/Yuntongxun/callbacks/notification';
import type { Fields } from '../../../nodes/Yuntongxun/client/codec';
import type { Rehearsal } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { EXAMPLE_NUMBER, exampleForm } from '../../support/exampleForms';
import { call, buildRehearsal, showItem } from '../../support/messages';
import { checkedItem } from '../../support/trip';

/** The output of a rehearsed call whose operation shows more of it. */
function outputWith(more: Partial<Rehearsal>) {
	const message = call(['1']);
	const rehearse = () => ({ ...message.rehearse(), ...more });
	return showItem(buildRehearsal({ ...message, rehearse })).outputs[0];
}

const ID = `${'0'.repeat(20)}42${'0'.repeat(10)}`;

describe('a rehearsed call that waits', () => {
	const callEvent = toCallEvent({ callSid: 'c', state: '0', duration: '12' });

	it('has the result that its operation makes up of output and request, and its notification', () => {
		const resultFor = jest.fn(() => ({ callEvent, at: 0 }));
		expect(outputWith({ resultFor })).toMatchObject({
			dryRun: true,
			to: '1',
			outcome: 'completed',
			durationSeconds: 12,
			notification: { state: '0' },
			request: { endpoint: 'Sending', to: '1' },
		});
		expect(resultFor).toHaveBeenCalledWith(
			{ statusCode: '000000', callSid: ID, to: '1' },
			{ to: '1' },
		);
	});

	it('ends at its limit if there is no result', () => {
		const json = outputWith({ resultFor: () => undefined });
		expect(json).toMatchObject({ outcome: 'timeout', answered: false });
		expect(json).not.toHaveProperty('notification');
	});
});

it('a rehearsed message has a made-up id of execution and position, and the request as its operation shows it', () => {
	const showFields = (fields: Fields) => ({ ...fields, to: '…' });
	expect(outputWith({ showFields, members: { preview: 'Hello' } })).toEqual({
		statusCode: '000000',
		callSid: ID,
		to: '1',
		preview: 'Hello',
		dryRun: true,
		request: { endpoint: 'Sending', to: '…' },
	});
});

it.each([
	['the last ten digits of a longer number', '9876543210123', '6543210123'],
	['the digits alone of a name', 'run-42', '42'],
	['none outside an execution, as in an agent', undefined, ''],
])('the made-up id has %s', (_what, executionId, digits) => {
	const item = buildRehearsal(call(['1']));
	acceptRehearsed([item], executionId);
	const callSid = digits.padStart(22, '0') + '0'.repeat(10);
	expect(item.status).toMatchObject({ jsons: [{ callSid }] });
});

it.each([
	['call', 'notify', 'callSid', /^20\d\d(-\d\d){2} \d\d(:\d\d){2}$/],
	['call', 'verify', 'callSid', /^20\d\d(-\d\d){2} \d\d(:\d\d){2}$/],
	['sms', 'send', 'smsMessageSid', /^20\d{12}$/],
	['verificationCode', 'send', 'callSid', /^20\d\d(-\d\d){2} \d\d(:\d\d){2}$/],
])('a rehearsed %s.%s has the members of a real one', (resource, operation, id, date) => {
	const parameters = { ...exampleForm(resource, operation).parameters, options: { dryRun: true } };
	const { item } = checkedItem(resource, operation, parameters as IDataObject);
	expect(showItem(item).outputs).toMatchObject([
		{
			statusCode: '000000',
			[id]: expect.stringMatching(/^0{12}\d{20}$/) as string,
			dateCreated: expect.stringMatching(date) as string,
			createdAt: expect.stringMatching(/\+08:00$/) as string,
			to: EXAMPLE_NUMBER,
			dryRun: true,
		},
	]);
});

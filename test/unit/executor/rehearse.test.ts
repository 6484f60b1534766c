import { toCallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import type { Fields } from '../../../nodes/Yuntongxun/client/codec';
import type { Rehearsal } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { call, buildRehearsal, showItem } from '../../support/messages';

/** The output of a rehearsed call whose operation shows more of it. */
function outputWith(more: Partial<Rehearsal>) {
	const task = call(['1']);
	const rehearse = () => ({ ...task.rehearse(), ...more });
	return showItem(buildRehearsal({ ...task, rehearse }, 56)).outputs[0];
}

const ID = '00000000000000000000420000560000';

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

it('a rehearsed message has a made-up id of execution and item, and the request as its operation shows it', () => {
	const showFields = (fields: Fields) => ({ ...fields, to: '…' });
	expect(outputWith({ showFields, members: { preview: 'Hello' } })).toEqual({
		statusCode: '000000',
		callSid: ID,
		to: '1',
		preview: 'Hello',
		dryRun: true,
		request: { endpoint: 'SMS', to: '…' },
	});
});

import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { buildItem, buildTaskItem, failed, failure, showItem, sms } from '../../support/messages';

const refused: Item = { kind: 'refused', index: 2, error: new ValidationError('Not so') };

it('a failed message says to whom it was, what was accepted, and what else to do', () => {
	const item = buildItem(7, sms(['1', '2']));
	item.status = failed(failure({ accepted: 'unknown' }), {
		advice: 'Look first.',
		members: { leftOut: [{ to: '1' }] },
	});
	expect(showItem(item).outputs).toEqual([
		{
			error: {
				message: 'It was refused (code 160040). Send it again to any others. Look first. [item 7]',
				statusCode: '160040',
				statusMsg: '超限',
				accepted: 'unknown',
				to: '1,2',
				leftOut: [{ to: '1' }],
			},
		},
	]);
});

it.each([true, false])(
	'what only reads says nothing of what was accepted: %s',
	(hasSideEffects) => {
		const accepted = hasSideEffects ? 'no' : undefined;
		const task = buildTaskItem(failed(failure()));
		expect(showItem(task, hasSideEffects).failure?.accepted).toBe(accepted);
		expect(showItem(refused, hasSideEffects).failure).toMatchObject({
			index: 2,
			isFromService: false,
		});
		expect(showItem(refused, hasSideEffects).failure?.accepted).toBe(accepted);
	},
);

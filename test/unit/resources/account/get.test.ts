import { getAccount } from '../../../../nodes/Yuntongxun/resources/account/get';
import { buildForm } from '../../../support/form';
import { runTask } from '../../../support/tasks';

const outputFor = async (fields: Record<string, string>) => {
	const text = (name: string) => fields[name] ?? '';
	const task = getAccount.prepare(buildForm({ simplify: false })).work;
	const [output] = await runTask(task, async () => ({ statusCode: '000000', text, records: [] }));
	return output;
};

it.each([
	['0', '0', 'Trial', 'Not Activated'],
	['1', '1', 'Registered', 'Activated'],
	['0', '2', 'Trial', 'Suspended'],
	['1', '3', 'Registered', 'Closed'],
	['9', '9', 'Unknown', 'Unknown'],
	['', '', 'Unknown', 'Unknown'],
])('type %j and status %j are %s and %s', async (type, status, typeName, statusName) => {
	expect(await outputFor({ type, status })).toMatchObject({ type, status, typeName, statusName });
});

it.each([
	['1024.50', 1024.5],
	['-1.5', -1.5],
	['0', 0],
	['n/a', null],
	['', null],
	['1e3', null],
])('a balance of %j is the amount %j', async (balance, amount) => {
	expect(await outputFor({ balance, subBalance: '7' })).toMatchObject({
		balance,
		balanceAmount: amount,
		subBalanceAmount: 7,
	});
	expect(await outputFor({ balance: '7', subBalance: balance })).toMatchObject({
		balanceAmount: 7,
		subBalanceAmount: amount,
	});
});

it('text that is not a date brings no date field', async () => {
	const dates = { dateCreated: '2024-01-15 10:30:00', dateUpdated: 'some day' };
	const output = await outputFor(dates);
	expect(output).toMatchObject({ ...dates, createdAt: '2024-01-15T10:30:00+08:00' });
	expect(output).not.toHaveProperty('updatedAt');
});

import type { IDataObject } from 'n8n-workflow';

import { getSubAccounts } from '../../../../nodes/Yuntongxun/resources/subAccount/getAll';
import type { Answer, Send } from '../../../../nodes/Yuntongxun/client/request';
import { buildForm } from '../../../support/form';
import { runTask } from '../../../support/tasks';

const ids = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_each, index) => `sid${from + index}`);

const page = (found: string[], totalCount: string): Answer => ({
	statusCode: '000000',
	text: (name) => (name === 'totalCount' ? totalCount : ''),
	records: found.map((subAccountSid) => ({ subAccountSid })),
});

interface Asked {
	start: number;
	count: number;
}

type Service = (asked: Asked) => Answer;

/** Lists with a service that answers as told. */
async function listed(
	answer: Service,
	parameters: IDataObject = { returnAll: true },
	options: IDataObject = {},
) {
	const asked: Array<[start: number, count: number]> = [];
	const send: Send = async ({ fields }) => {
		const own = { start: Number(fields.startNo), count: Number(fields.offset) };
		asked.push([own.start, own.count]);
		return answer(own);
	};
	const filled = { limit: 50, returnAll: false, ...parameters };
	const task = getSubAccounts.prepare(
		buildForm(filled, { options, account: { appId: 'app' } }),
	).work;
	const output = await runTask(task, send).catch((thrown: unknown) => [{ thrown } as IDataObject]);
	const found = output.map((json) => ('thrown' in json ? json.thrown : json.subAccountSid));
	return { found, asked };
}

const whole =
	(total: number, largest = 100): Service =>
	({ start, count }) =>
		page(ids(start, Math.min(total, start + Math.min(count, largest))), String(total));
const tooMany: Service = ({ start }) => page(ids(start, start + 100), '1000');

const ALL = { returnAll: true };
const HUGE = '9'.repeat(300);

it.each<[string, Service, string, IDataObject, IDataObject]>([
	['page after page', whole(250), '0-250: 0+100 100+100 200+100', ALL, {}],
	['no more than Limit', tooMany, '0-130: 0+100 100+30', { limit: 130 }, {}],
	['from Skip on', whole(250), '30-180: 30+100 130+50', { limit: 150 }, { startNo: 30 }],
	['the rest where a page is short', whole(5, 2), '0-5: 0+100 2+100 4+100', ALL, {}],
])('Get Many reads %s', async (_what, service, expected, parameters, options) => {
	const { found, asked } = await listed(service, parameters, options);
	const [first, last] = expected.split(':')[0].split('-').map(Number);
	expect(found).toEqual(ids(first, last));
	const questions = asked.map(([start, count]) => `${start}+${count}`).join(' ');
	expect(`${first}-${last}: ${questions}`).toBe(expected);
});

it('a record that moves to a later page comes out once', async () => {
	const { found } = await listed(({ start, count }) =>
		// One was added in front after the first page had been read.
		start === 0
			? page(ids(0, 100), '250')
			: page(ids(start - 1, Math.min(251, start + count) - 1), '251'),
	);
	expect(found).toEqual(ids(0, 250));
});

it.each<[string, Service, number]>([
	[
		'has no more',
		({ start, count }) => page(ids(start, Math.min(2050, start + count)), HUGE),
		2050,
	],
	['gives the same page for ever', () => page(ids(0, 100), HUGE), 100],
])('the list ends when the service %s, whatever total it claims', async (_what, service, count) => {
	const { found, asked } = await listed(service);
	expect(found).toEqual(ids(0, count));
	expect(asked.length).toBeLessThan(40);
});

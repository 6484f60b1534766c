import type { IExecuteFunctions } from 'n8n-workflow';

import type { ResultTarget } from '../../../nodes/Yuntongxun/callbacks/wait';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { routeResults } from '../../../nodes/Yuntongxun/executor/routeResults';
import { refuse } from '../../../nodes/Yuntongxun/executor/model';
import type { Item } from '../../../nodes/Yuntongxun/executor/model';
import { findResultRoutes } from '../../../nodes/Yuntongxun/waiting/routes';
import type { FoundRoute } from '../../../nodes/Yuntongxun/waiting/routes';
import type { WaitingRun } from '../../../nodes/Yuntongxun/waiting/waitingRun';
import { buildItem, buildRehearsal, buildTaskItem, call, done } from '../../support/messages';

// What a route is, is for waiting/routes.test.ts: here is which items ask for one and get it.
jest.mock('../../../nodes/Yuntongxun/waiting/routes', () => ({
	findResultRoutes: jest.fn(),
}));
const find = jest.mocked(findResultRoutes);

const ACCOUNT = parseCredential({
	accountSid: 'sid',
	authToken: 'made-up',
	baseUrl: 'https://example.com',
});
const TARGET: ResultTarget = { kind: 'trigger', event: 'voiceNotification' };
const routeNamed = (name: string): FoundRoute => ({
	ok: true,
	buildUrl: () => 'https://n8n.example.com/webhook/4f9c',
	hints: [name],
});

const route = async (items: Item[]) =>
	await routeResults({} as IExecuteFunctions, () => ACCOUNT, {} as WaitingRun, items);
const wanting = (number: string) => call([number], { resultTarget: TARGET });

beforeEach(() => find.mockReset());

it('calls that want a result ask for a route, rehearsed or not, and each gets its own', async () => {
	const sent = buildItem(4, wanting('4'));
	sent.status = done();
	const items: Item[] = [
		refuse(0, new Error('no')),
		buildTaskItem({ state: 'planned' }, {}, 1),
		buildItem(2, call(['2'])),
		buildItem(3, wanting('3')),
		sent,
		buildRehearsal(wanting('5'), 5),
		buildItem(6, wanting('6')),
	];
	const before = [...items];
	find.mockResolvedValue([
		routeNamed('one'),
		routeNamed('another'),
		{ ok: false, summary: 'It cannot arrive.', remedy: 'Activate the workflow.' },
	]);

	await route(items);
	const [[, , , targets]] = find.mock.calls;
	expect(targets).toEqual([
		{ target: TARGET, isDryRun: false },
		{ target: TARGET, isDryRun: true },
		{ target: TARGET, isDryRun: false },
	]);
	expect(items.slice(0, 6)).toEqual(before.slice(0, 6));
	const names = items.map((item) => ('route' in item ? item.route?.hints[0] : undefined));
	expect(names).toEqual([undefined, undefined, undefined, 'one', undefined, 'another', undefined]);
	const message = expect.stringContaining('It cannot arrive.') as string;
	expect(items[6]).toMatchObject({ kind: 'refused', index: 6, status: { error: { message } } });
});

it('items that want no result ask n8n for nothing', async () => {
	await route([buildItem(0, call(['1']))]);
	expect(find).not.toHaveBeenCalled();
});

import { applicationId } from '../../simulator/index';
import { runNode } from '../support/engine/engine';
import { getItems, getJson, operation } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const ALL = operation('subAccount', 'getAll', { returnAll: true });

const list = async (parameters = ALL) =>
	getJson(await runNode({ parameters, credential: service.credential() }));
/** The pages that were asked for, as `start+count`, in order. */
const pagesFrom = (first: number) =>
	service.simulator.record.requests
		.slice(first)
		.map(({ fields }) => `${fields.startNo}+${fields.offset}`);
const names = (items: Array<{ friendlyName?: unknown }>) =>
	items.map(({ friendlyName }) => friendlyName);

describe('Get Many', () => {
	it.each<[number, object, object, pages: string, [number, number]]>([
		[101, { returnAll: true }, {}, '0+100 100+100', [0, 101]],
		[250, { limit: 230 }, {}, '0+100 100+100 200+30', [0, 230]],
		[250, { limit: 150 }, { startNo: 30 }, '30+100 130+50', [30, 180]],
	])('pages of %i with %j and %j', async (count, parameters, options, wanted, [from, to]) => {
		service.simulator.seedSubAccounts(count);
		for (const wireFormat of ['json', 'xml']) {
			const whole = names(await list());
			expect(whole).toHaveLength(count);
			const before = service.simulator.record.requests.length;

			const run = await runNode({
				parameters: operation('subAccount', 'getAll', { ...parameters }, { ...options }),
				credential: service.credential({ wireFormat }),
			});

			expect(pagesFrom(before).join(' ')).toBe(wanted);
			expect(names(getJson(run))).toEqual(whole.slice(from, to));
			expect(new Set(getJson(run).map(({ subAccountSid }) => subAccountSid)).size).toBe(to - from);
			for (const { json, pairedItem } of getItems(run)) {
				expect(json.totalCount).toBe(String(count));
				expect(pairedItem).toEqual({ item: 0 });
			}
			expect(service.simulator.violations()).toEqual([]);
		}
	});
});

describe('Create', () => {
	const create = async (
		friendlyName: string,
		onDuplicate: string,
		{ options = {}, account = {} } = {},
	) =>
		await runNode({
			parameters: operation('subAccount', 'create', { friendlyName, onDuplicate }, options),
			credential: service.credential(account),
		});
	const operations = () => service.simulator.record.requests.map((each) => each.operation);

	it.each(['json', 'xml'])(
		'in %s returns the existing one where it is told to',
		async (wireFormat) => {
			const [first] = getJson(await create('one', 'returnExisting', { account: { wireFormat } }));
			expect(first.created).toBe(true);
			const [second] = getJson(await create('one', 'returnExisting', { account: { wireFormat } }));
			expect(second).toEqual({ ...first, created: false });
			expect(operations()).toEqual(['SubAccounts', 'SubAccounts', 'QuerySubAccountByName']);
			expect(service.simulator.accepted()).toHaveLength(1);
			expect(service.simulator.violations()).toEqual([]);
		},
	);

	it('leaves the secrets of an existing one out too', async () => {
		await create('one', 'error');
		const [json] = getJson(
			await create('one', 'returnExisting', { options: { omitSecrets: true } }),
		);
		expect(json.created).toBe(false);
		expect(json).not.toHaveProperty('subToken');
		expect(json).not.toHaveProperty('voipPwd');
	});

	it('returns the existing one whatever the code of the refusal is', async () => {
		await create('one', 'error');
		service.simulator.fail({ kind: 'statusCode', statusCode: '111181' });
		const [json] = getJson(await create('one', 'returnExisting'));
		expect(json.created).toBe(false);
	});

	it('does not look for an existing one where the creation may have been accepted', async () => {
		service.simulator.fail({ kind: 'reset', operation: 'SubAccounts', accept: true });
		const { error } = await create('one', 'returnExisting');
		expect(error?.message).toContain('connection broke');
		expect(operations()).toEqual(['SubAccounts']);
	});

	it('fails as the creation did where the existing one cannot be found, and says so', async () => {
		const parameters = operation('subAccount', 'create', {
			appId: applicationId('notLive'),
			friendlyName: 'one',
		});
		await runNode({ parameters, credential: service.credential() });
		const { error } = await create('one', 'returnExisting');
		expect(error).toMatchObject({ httpCode: '111150' });
		expect(error?.message).toMatch(/\(code 111150\) \[item 0\]$/);
		expect(error?.description).toMatch(/111157/);
		expect(error?.description).toContain('子账户名称重复');
		expect(operations()).toEqual(['SubAccounts', 'SubAccounts', 'QuerySubAccountByName']);
	});
});

import { NodeApiError } from 'n8n-workflow';
import type { INodeParameters } from 'n8n-workflow';

import { applicationId } from '../../simulator/index';
import type { Settings } from '../../simulator/index';
import { runNode, mapVariables, searchList } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();

const WIRE_FORMATS = ['json', 'xml'];
/** Both names that the vendor's SDKs have for the list in JSON. */
const MEMBERS: Array<Partial<Settings>> = [
	{ templateList: 'TemplateSMS' },
	{ templateList: 'smsTemplateList' },
];
const ids = (items: Array<Record<string, unknown>>) => items.map(({ id }) => id);

const answerWith = (body: object) =>
	service.simulator.fail({
		kind: 'http',
		body: JSON.stringify({ statusCode: '000000', ...body }),
		contentType: 'application/json',
	});

const list = async (parameters = {}, account = {}) =>
	getJson(
		await runNode({
			parameters: operation('smsTemplate', 'getAll', {
				returnAll: true,
				simplify: false,
				...parameters,
			}),
			credential: service.credential(account),
		}),
	);

const get = async (templateId: string, account = {}) =>
	await runNode({
		parameters: operation('smsTemplate', 'get', { templateId }),
		settings: { onError: 'continueRegularOutput' },
		credential: service.credential(account),
	});

describe('SMS Template: Get Many', () => {
	it.each(MEMBERS)('takes the list whatever the service calls it: %j', async (settings) => {
		service.simulator.configure(settings);
		for (const wireFormat of WIRE_FORMATS) {
			expect(ids(await list({}, { wireFormat }))).toEqual([
				'1',
				'100002',
				'100000',
				'100001',
				'100300',
			]);
		}
		expect(service.simulator.violations()).toEqual([]);
	});

	it('does not read a template without an ID', async () => {
		answerWith({ TemplateSMS: [{ title: 'no ID' }] });
		const parameters = operation('smsTemplate', 'getAll', { returnAll: true });
		const { error } = await runNode({ parameters, credential: service.credential() });
		expect(error?.message).toMatch(/its answer lacks id \(code 000000\) \[item 0\]$/);
	});
});

describe('SMS Template: Get', () => {
	it('takes the template that was asked for, whatever else the service gives', async () => {
		answerWith({ TemplateSMS: [{ id: '7' }, { id: '100002', title: 'mine' }] });
		expect(getJson(await get('100002'))).toEqual([
			expect.objectContaining({ id: '100002', title: 'mine' }),
		]);
	});

	it.each(WIRE_FORMATS)(
		'fails in %s where the service knows no such template',
		async (wireFormat) => {
			const [json] = getJson(await get('424242', { wireFormat }));
			expect(reportIn(json)).toMatchObject({ statusCode: '112313' });
		},
	);

	it('fails where the answer has others only, or none', async () => {
		for (const TemplateSMS of [[{ id: '7' }], [], '']) {
			answerWith({ TemplateSMS });
			const report = reportIn(getJson(await get('100002'))[0]);
			expect(report.message).toMatch(/lacks a template with this ID .*Get Many/);
			expect(report.statusCode).toBe('000000');
		}
	});
});

describe('SMS: Send', () => {
	const send = async (parameters: INodeParameters, options: INodeParameters) =>
		await runNode({
			parameters: operation('sms', 'send', { templateId: '100000', ...parameters }, options),
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(),
		});
	const numbers = (count: number) =>
		Array.from({ length: count }, (_each, at) => 13_800_000_000 + at).join();

	it('refuses an ID of its own for more numbers than one request takes', async () => {
		const [json] = getJson(await send({ to: numbers(201) }, { reqId: 'order42' }));
		expect(reportIn(json).message).toMatch(/^'ID in Reports'.* 201/);
		expect(service.simulator.record.requests).toEqual([]);
		expect(getJson(await send({ to: numbers(200) }, { reqId: 'order42' }))).toEqual([
			expect.objectContaining({ statusCode: '000000', reqId: 'order42' }),
		]);
	});
});

describe('the list to pick a template from', () => {
	const search = async (filter?: string, parameters = {}, credential = service.credential()) =>
		await searchList(
			'searchTemplates',
			{ parameters: operation('sms', 'send', parameters), credential },
			filter,
		);

	it('shows title, ID and text of each approved template, with one request', async () => {
		expect(await search()).toEqual({
			results: [
				{
					name: '测试模板 (1): 【云通讯】您的验证码是{1}，请于{2}分钟内正确输入',
					value: '1',
				},
				{ name: 'Verification code (100002): 您的验证码是{1}，{2}分钟内有效。', value: '100002' },
				{ name: '欢迎 (100000): 欢迎使用我们的服务。', value: '100000' },
				{
					name: 'Order shipped (100001): Your order {1} has left; track it with {1}.',
					value: '100001',
				},
			],
		});
		expect(service.simulator.record.requests).toHaveLength(1);
		expect(service.simulator.violations()).toEqual([]);
	});

	it('shows every template where one is to be read, a rejected one, too', async () => {
		const parameters = operation('smsTemplate', 'get', { templateId: '' });
		const credential = service.credential();
		const { results } = await searchList('searchTemplates', { parameters, credential });
		expect(results.map(({ value }) => value)).toEqual([
			'1',
			'100002',
			'100000',
			'100001',
			'100300',
		]);
	});

	it.each([
		['VERIFICATION', ['100002']],
		['分钟', ['1', '100002']],
		['track', ['100001']],
		['100001', ['100001']],
		['no such text', []],
	])('finds %s in titles and texts, in any case', async (filter, want) => {
		const { results } = await search(filter);
		expect(results.map(({ value }) => value)).toEqual(want);
	});

	it('shows a template whose status the service does not tell', async () => {
		answerWith({ smsTemplateList: { id: '7', title: 'One', content: 'Hello' } });
		expect((await search()).results).toContainEqual({ name: 'One (7): Hello', value: '7' });
	});

	const OF_TRIALS = {
		name: 'Template of trial accounts (1): 【云通讯】您使用的是云通讯短信模板，您的验证码是{1}，请于{2}分钟内正确输入',
		value: '1',
	};

	it("begins with the vendor's template where the account lists none of its ID", async () => {
		answerWith({ TemplateSMS: { id: '7', title: 'One', status: '1' } });
		expect((await search()).results.map(({ value }) => value)).toEqual(['1', '7']);
		answerWith({ TemplateSMS: [] });
		expect(await search()).toEqual({ results: [OF_TRIALS] });
	});

	it("lacks the vendor's template where it does not fit the search", async () => {
		answerWith({ TemplateSMS: [] });
		expect(await search('another')).toEqual({ results: [] });
	});

	it("offers no template of the vendor's to read", async () => {
		answerWith({ TemplateSMS: [] });
		const test = {
			parameters: operation('smsTemplate', 'get', { templateId: '' }),
			credential: service.credential(),
		};
		expect(await searchList('searchTemplates', test)).toEqual({ results: [] });
	});

	it('shows those of the application that the form names', async () => {
		const { results } = await search('', { appId: applicationId('notLive') });
		expect(results.map(({ value }) => value)).toContain('100200');
	});

	it('says what the service refused, and to use By ID', async () => {
		service.simulator.fail({
			kind: 'statusCode',
			statusCode: '111109',
			statusMsg: '<b>校验失败</b>',
		});
		const thrown: unknown = await search().catch((error: unknown) => error);
		// n8n's editor shows the description of no other error.
		expect(thrown).toBeInstanceOf(NodeApiError);
		expect(thrown).toMatchObject({
			message: expect.stringMatching(/\(code 111109\)$/) as string,
			description: expect.stringMatching(
				/^Choose By ID.*Yuntongxun says: &lt;b&gt;校验失败/,
			) as string,
		});
	});

	it('says that it needs an App ID', async () => {
		const thrown: unknown = await search('', {}, service.credential({ appId: '' })).catch(
			(error: unknown) => error,
		);
		expect(thrown).toBeInstanceOf(NodeApiError);
		expect(thrown).toMatchObject({ message: expect.stringMatching(/App ID/) as string });
		expect(service.simulator.record.requests).toEqual([]);
	});
});

describe('the fields for the variables of a template', () => {
	const mapFields = async (templateId: string, parameters = {}) =>
		await mapVariables({
			parameters: operation('sms', 'send', { templateId, ...parameters }),
			credential: service.credential(),
		});
	const labels = async (content: string) => {
		answerWith({ TemplateSMS: [{ id: '7', content }] });
		const { fields } = await mapFields('7');
		return fields.map(({ id, displayName }) => [id, displayName]);
	};

	it('are one for each placeholder, required, with the words around it', async () => {
		const { fields } = await mapFields('1');
		expect(fields).toEqual([
			expect.objectContaining({ id: '1', displayName: '您的验证码是{1}，', required: true }),
			expect.objectContaining({ id: '2', displayName: '请于{2}分钟内正确输入', required: true }),
		]);
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each([
		['Dear {1}, order {2}: {3}.', ['Dear {1},', 'order {2}:', '{3}.']],
		['{2}{1}', ['{1}', '{2}']],
		['Code: {1}!', ['Code: {1}!']],
		[`${'a'.repeat(30)}{1}${'b'.repeat(30)}`, [`…${'a'.repeat(20)}{1}${'b'.repeat(20)}…`]],
		['{1} and {1}', ['{1} and']],
		['{0}{01}{101}{1}', ['{1}']],
	])('fields of %j are labelled %j', async (content, wanted) => {
		expect((await labels(content)).map(([, label]) => label)).toEqual(wanted);
	});

	it("are those of the vendor's template, even where no list can be read", async () => {
		service.simulator.fail({ kind: 'statusCode', statusCode: '112310', statusMsg: '' });
		const { fields } = await mapFields('1');
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'您的验证码是{1}，',
			'请于{2}分钟内正确输入',
		]);
	});

	it('are none of a template without variables, which is said', async () => {
		answerWith({ TemplateSMS: [{ id: '7', content: 'Welcome.' }] });
		expect(await mapFields('7')).toEqual({
			fields: [],
			emptyFieldsNotice: 'This template has no variables.',
		});
	});

	it('are ten numbered ones, three of them shown, where the template cannot be read', async () => {
		for (const templateId of ['', '424242']) {
			const { fields } = await mapFields(templateId);
			expect(fields.map(({ id, required, removed }) => [id, required, removed])).toEqual(
				Array.from({ length: 10 }, (_, at) => [String(at + 1), false, at > 2]),
			);
		}
	});
});

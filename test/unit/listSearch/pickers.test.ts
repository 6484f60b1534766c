import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { mapTemplateVariables } from '../../../nodes/Yuntongxun/listSearch/mapTemplateVariables';
import { searchSubAccounts } from '../../../nodes/Yuntongxun/listSearch/searchSubAccounts';
import { searchTemplates } from '../../../nodes/Yuntongxun/listSearch/searchTemplates';
import { buildNode, fakeCredential } from '../../support/fakeN8n';
import { answering } from '../support/http';

type Fields = Record<string, string>;

interface Editor {
	/** What the service answers, beside its status code. */
	answer: (fields: Fields) => object;
	parameters?: IDataObject;
	/** What the App ID gives, where it is an expression. */
	resolve?: () => unknown;
	/** The App ID of the credential. */
	appId?: string;
}

/** A form in n8n's editor, and the fields of each request that it makes. */
function editorWith({ answer, parameters = {}, resolve, appId = 'of-the-credential' }: Editor) {
	const requests: Fields[] = [];
	const credential = {
		accountSid: 'sid',
		authToken: 'made-up-token',
		baseUrl: 'https://example.com',
		appId,
	};
	const httpRequestWithAuthentication = async (_type: string, request: { body: string }) => {
		const fields = JSON.parse(request.body) as Fields;
		requests.push(fields);
		const body = JSON.stringify({ statusCode: '000000', ...answer(fields) });
		return await answering(200, body).http({ url: '' });
	};
	const context = {
		getCredentials: fakeCredential(async () => credential),
		getCurrentNodeParameter: (name: string) => parameters[name],
		getNode: () => buildNode(),
		getNodeParameter: (name: string, fallback: unknown, { extractValue = false } = {}) => {
			if (name === 'appId' && resolve) return resolve();
			const value = parameters[name] ?? fallback;
			return extractValue ? (value as { value: unknown }).value : value;
		},
		helpers: { httpRequestWithAuthentication },
	};
	return { requests, context: context as unknown as ILoadOptionsFunctions };
}

/** n8n's editor shows the description of no other error. */
const SHOWN_BY_EDITOR = { constructor: NodeApiError };

const REFUSED = () => ({ statusCode: '111109', statusMsg: '<b>校验失败</b>' });

describe('the list to pick a template from', () => {
	const GREETING = { id: '7', title: 'Greeting', content: 'Hello {1}', status: '1' };
	const PARCEL = { id: '8', title: '快递', content: '您的包裹{1}已到。', status: '1' };
	const REJECTED = { id: '9', title: 'Rejected', content: 'No', status: '0' };
	const list = (...TemplateSMS: object[]) => ({ answer: () => ({ TemplateSMS }) });
	const SENT = { resource: 'sms' };
	const READ = { resource: 'smsTemplate' };
	const EXPRESSION = '={{ $json.app }}';

	const search = async (editor: Editor, filter?: string) =>
		(await searchTemplates.call(editorWith(editor).context, filter)).results;
	const values = async (editor: Editor, filter?: string) =>
		(await search(editor, filter)).map(({ value }) => value);

	const OF_TRIALS = {
		name: 'Template of trial accounts (1): 【云通讯】您使用的是云通讯短信模板，您的验证码是{1}，请于{2}分钟内正确输入',
		value: '1',
	};

	it("shows title, ID and text of each that can be sent, the vendor's in front", async () => {
		const editor = { ...list(GREETING, PARCEL, REJECTED), parameters: SENT };
		expect(await search(editor)).toEqual([
			OF_TRIALS,
			{ name: 'Greeting (7): Hello {1}', value: '7' },
			{ name: '快递 (8): 您的包裹{1}已到。', value: '8' },
		]);
	});

	it.each<[string, Partial<Editor>, string]>([
		['an App ID', { parameters: { appId: ' own ' } }, 'own'],
		[
			'an expression with a value',
			{ parameters: { appId: EXPRESSION }, resolve: () => 'resolved' },
			'resolved',
		],
		['an empty App ID', { parameters: { appId: '' } }, 'of-the-credential'],
		['none', {}, 'of-the-credential'],
	])('takes one request for the application, beside %s', async (_what, form, appId) => {
		const { context, requests } = editorWith({ ...list(GREETING), ...form });
		await searchTemplates.call(context);
		expect(requests).toEqual([{ appId, templateId: '' }]);
	});

	it("shows no vendor's template beside one of the account with its ID, and none to read", async () => {
		expect(await values({ ...list(GREETING, { ...PARCEL, id: '1' }), parameters: SENT })).toEqual([
			'7',
			'1',
		]);
		expect(await values({ ...list(), parameters: READ })).toEqual([]);
	});

	it('shows every template where one is to be read, a rejected one, too', async () => {
		expect(await values({ ...list(GREETING, REJECTED), parameters: READ })).toEqual(['7', '9']);
	});

	it('shows a template whose status the service does not tell', async () => {
		const { status: _, ...untold } = GREETING;
		expect(await values({ ...list(untold), parameters: SENT })).toEqual(['1', '7']);
	});

	it.each([
		['HELLO', ['7']],
		['包裹', ['8']],
		['(8)', ['8']],
		['验证码', ['1']],
		['no such text', []],
	])('finds %s in titles, IDs and texts, in any case', async (filter, found) => {
		expect(await values({ ...list(GREETING, PARCEL), parameters: SENT }, filter)).toEqual(found);
	});

	it('says what the service refused, and to use By ID', async () => {
		await expect(search({ answer: REFUSED })).rejects.toMatchObject({
			...SHOWN_BY_EDITOR,
			message: expect.stringMatching(/\(code 111109\)$/) as string,
			description: expect.stringMatching(
				/^Choose By ID, and enter the number of the template\..*Yuntongxun says: &lt;b&gt;校验失败/,
			) as string,
		});
	});

	it.each<[string, () => unknown]>([
		['gives nothing here', () => undefined],
		[
			'needs a node that has not run',
			() => {
				throw new Error("Node 'Webhook' hasn't been executed");
			},
		],
	])('says so where the App ID is an expression that %s', async (_what, resolve) => {
		const editor = { ...list(), parameters: { appId: EXPRESSION }, resolve };
		await expect(search(editor)).rejects.toMatchObject({
			...SHOWN_BY_EDITOR,
			message: 'App ID is an expression that has no value yet',
			description: 'Choose By ID instead of the list, or enter the App ID itself.',
		});
	});

	it('says that it needs an App ID, and asks nobody', async () => {
		const { context, requests } = editorWith({ ...list(), appId: '' });
		await expect(searchTemplates.call(context)).rejects.toMatchObject({
			...SHOWN_BY_EDITOR,
			message: 'Enter the App ID whose templates the list should show',
			description: 'The credential can hold one, too.',
		});
		expect(requests).toEqual([]);
	});
});

describe('the list to pick a sub-account from', () => {
	/** A service with sub-accounts of these names; their IDs are `sid0`, `sid1` and so on. */
	const serviceWith = (names: string[], total = names.length) => ({
		answer: ({ startNo, offset }: Fields) => ({
			totalCount: String(total),
			SubAccount: names
				.map((friendlyName, at) => ({ subAccountSid: `sid${at}`, friendlyName }))
				.slice(Number(startNo), Number(startNo) + Number(offset)),
		}),
	});
	const names = Array.from({ length: 250 }, (_each, at) => `Shop ${at}`);

	it('shows a page at a time, by name, and what an entry stands for is its id', async () => {
		const { context, requests } = editorWith(serviceWith(names));
		const first = await searchSubAccounts.call(context);
		const second = await searchSubAccounts.call(context, '', first.paginationToken as string);
		const third = await searchSubAccounts.call(context, '', second.paginationToken as string);
		expect([...first.results, ...second.results, ...third.results]).toEqual(
			names.map((name, at) => ({ name, value: `sid${at}` })),
		);
		expect([first.paginationToken, second.paginationToken]).toEqual(['100', '200']);
		expect(third).not.toHaveProperty('paginationToken');
		expect(requests.map(({ appId, startNo, offset }) => [appId, startNo, offset])).toEqual([
			['of-the-credential', '0', '100'],
			['of-the-credential', '100', '100'],
			['of-the-credential', '200', '100'],
		]);
	});

	it('searches all pages, in any case of letters', async () => {
		const { context } = editorWith(serviceWith(names));
		expect(await searchSubAccounts.call(context, 'SHOP 249')).toEqual({
			results: [{ name: 'Shop 249', value: 'sid249' }],
		});
	});

	it('searches on from the page behind its first match', async () => {
		const { context } = editorWith(serviceWith(names));
		const first = await searchSubAccounts.call(context, 'shop 15');
		expect(first.results.map(({ value }) => value)).toEqual(['sid15']);
		const next = await searchSubAccounts.call(context, 'shop 15', first.paginationToken as string);
		expect(next.results).toHaveLength(10);
	});

	it('says what is missing, and what the service says', async () => {
		const { context } = editorWith({ ...serviceWith([]), appId: '' });
		await expect(searchSubAccounts.call(context)).rejects.toThrow(
			'Enter the App ID whose sub-accounts the list should show',
		);
		const refused = editorWith({ answer: REFUSED }).context;
		await expect(searchSubAccounts.call(refused)).rejects.toMatchObject({
			description: expect.stringContaining('By ID, and enter the ID of the sub-account.') as string,
		});
	});
});

describe('the fields for the variables of a template', () => {
	const mapFields = async (templateId: unknown, content?: string, id = String(templateId)) => {
		const TemplateSMS = content === undefined ? [] : [{ id, content }];
		const parameters = { templateId: { value: templateId } } as IDataObject;
		const { context, requests } = editorWith({ answer: () => ({ TemplateSMS }), parameters });
		return { requests, ...(await mapTemplateVariables.call(context)) };
	};
	const field = (number: number, displayName: string, more: object) => ({
		...{ id: String(number), displayName, type: 'string', display: true, defaultMatch: false },
		...more,
	});

	it('are one for each placeholder, required, with the words around it', async () => {
		const { fields, emptyFieldsNotice, requests } = await mapFields(
			'7',
			'您的{1}已到，{2}内来取。',
		);
		expect(fields).toEqual([
			field(1, '您的{1}已到，', { required: true }),
			field(2, '已到，{2}内来取。', { required: true }),
		]);
		expect(emptyFieldsNotice).toBe('This template has no variables.');
		expect(requests).toEqual([{ appId: 'of-the-credential', templateId: '7' }]);
	});

	it.each([
		['Dear {1}, order {2}: {3}.', ['Dear {1},', 'order {2}:', '{3}.']],
		['(one) {1} (two)', ['{1}']],
		['One。  {1}  ', ['One。  {1}']],
		[`${'a'.repeat(20)}{1}${'b'.repeat(20)}`, [`${'a'.repeat(20)}{1}${'b'.repeat(20)}`]],
		[`${'a'.repeat(30)}{1}${'b'.repeat(30)}`, [`${'a'.repeat(20)}{1}${'b'.repeat(20)}`]],
		['{1} and {1}', ['{1} and']],
		['{0}{01}{101}{1x}{100}', ['{100}']],
		['{10} {9}', ['{9}', '{10}']],
		['Welcome.', []],
	])('fields of %j are labelled %j', async (content, wanted) => {
		const { fields } = await mapFields('7', content);
		expect(fields.map(({ displayName }) => displayName)).toEqual(wanted);
	});

	it("are those of the vendor's template, even where no list can be read", async () => {
		const parameters = { templateId: { value: ' 1 ' } };
		const { context } = editorWith({ answer: REFUSED, parameters });
		const { fields } = await mapTemplateVariables.call(context);
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'您的验证码是{1}，',
			'请于{2}分钟内正确输入',
		]);
	});

	it.each([
		['no template is chosen', '', undefined, 0],
		['nothing is chosen', null, undefined, 0],
		['there is no such template', '424242', undefined, 1],
		['the service gives another one', '7', 'Hello {1}', 1],
	])(
		'are ten numbered ones, three of them shown, where %s',
		async (_what, templateId, content, count) => {
			const { fields, requests } = await mapFields(templateId, content, '8');
			expect(fields).toEqual(
				Array.from({ length: 10 }, (_each, at) =>
					field(at + 1, `{${at + 1}}`, { required: false, removed: at > 2 }),
				),
			);
			expect(requests).toHaveLength(count);
		},
	);
});

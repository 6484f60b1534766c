import { NodeApiError } from 'n8n-workflow';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { searchTemplates } from '../../../nodes/Yuntongxun/listSearch/searchTemplates';
import { buildNode, fakeCredential } from '../../support/fakeN8n';
import { answering } from '../../support/http';

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
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'appId' && resolve ? resolve() : (parameters[name] ?? fallback),
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
		const editor = list(GREETING, PARCEL, REJECTED);
		expect(await search(editor)).toEqual([
			OF_TRIALS,
			{ name: 'Greeting (7): Hello {1}', value: '7' },
			{ name: '快递 (8): 您的包裹{1}已到。', value: '8' },
		]);
	});

	it("shows the vendor's as the account lists it, if it does", async () => {
		const listed = { ...GREETING, id: '1' };
		const names = (await search(list(PARCEL, listed))).map(({ name }) => name);
		expect(names).toEqual(['快递 (8): 您的包裹{1}已到。', 'Greeting (1): Hello {1}']);
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
	])('asks once, for the right application, if App ID is %s', async (_what, form, appId) => {
		const { context, requests } = editorWith({ ...list(GREETING), ...form });
		await searchTemplates.call(context);
		expect(requests).toEqual([{ appId, templateId: '' }]);
	});

	it('shows a template whose status the service does not tell', async () => {
		expect(await values(list({ ...GREETING, status: undefined }))).toEqual(['1', '7']);
	});

	it.each([
		['HELLO', ['7']],
		['包裹', ['8']],
		['(8)', ['8']],
		['验证码', ['1']],
		['no such text', []],
	])('finds %s in titles, IDs and texts, in any case', async (filter, found) => {
		expect(await values(list(GREETING, PARCEL), filter)).toEqual(found);
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
	])('says so if the App ID is an expression that %s', async (_what, resolve) => {
		const editor = { ...list(), parameters: { appId: EXPRESSION }, resolve };
		await expect(search(editor)).rejects.toMatchObject({
			...SHOWN_BY_EDITOR,
			message: 'The list needs an App ID',
			description: expect.stringContaining('has no value yet, choose By ID.') as string,
		});
	});
});

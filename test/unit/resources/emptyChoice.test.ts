import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { operationOf } from '../../../nodes/Yuntongxun/resources';
import { FormRefusal } from '../../../nodes/Yuntongxun/resources/form';
import { itemForm } from '../../../nodes/Yuntongxun/resources/itemForm';
import { prepareItem } from '../../../nodes/Yuntongxun/resources/prepare';
import { accountOf } from '../../../nodes/Yuntongxun/service/account';
import { nodeOf } from '../support/execution';

const ACCOUNT = accountOf({
	accountSid: 'made-up',
	authToken: 'made-up',
	appId: 'app1',
	baseUrl: 'https://example.com',
});

/** The fields that go out for a form as n8n holds it, or that it was refused. */
function sentFor(resource: string, operation: string, parameters: IDataObject) {
	const context = {
		getNode: (): INode => nodeOf({ parameters: parameters as INode['parameters'] }),
		getNodeParameter: (name: string, _index: number, fallback: unknown) =>
			name in parameters ? parameters[name] : fallback,
		getInputData: () => [{ json: {} }],
		getMode: () => 'trigger',
	};
	const chosen = operationOf(resource, operation);
	if (chosen === undefined) throw new Error('no such operation');
	try {
		const form = itemForm(context as unknown as IExecuteFunctions, 0, chosen, ACCOUNT);
		return prepareItem(chosen, form).request.fields;
	} catch (thrown) {
		if (thrown instanceof FormRefusal) return 'refused';
		throw thrown;
	}
}

const NOTIFY = {
	to: '13800000000',
	content: 'text',
	mediaTxt: 'Hello',
	resultDelivery: 'none',
	options: {},
};
const VERIFY = {
	to: '13800000000',
	voice: 'default',
	codeSource: 'given',
	verifyCode: '384512',
	resultDelivery: 'none',
	options: {},
};

const EMPTY = ['', null, undefined];

describe('a choice that an expression leaves empty', () => {
	it('so do choices that are made', () => {
		expect(sentFor('call', 'notify', NOTIFY)).toMatchObject({ mediaTxt: 'Hello' });
		expect(sentFor('call', 'verify', VERIFY)).toMatchObject({ verifyCode: '384512' });
	});

	it.each(EMPTY)('no call goes out without its text, content being %j', (content) => {
		const sent = sentFor('call', 'notify', { ...NOTIFY, content });
		if (sent !== 'refused') expect(sent).toMatchObject({ mediaTxt: 'Hello' });
	});

	it.each(EMPTY)('no call goes out without its code, voice being %j', (voice) => {
		const sent = sentFor('call', 'verify', { ...VERIFY, voice });
		if (sent !== 'refused') expect(sent).toMatchObject({ verifyCode: '384512' });
	});

	it.each(EMPTY)('no call goes out without its code, its source being %j', (codeSource) => {
		const sent = sentFor('call', 'verify', { ...VERIFY, codeSource });
		if (sent !== 'refused') expect(sent).toMatchObject({ verifyCode: '384512' });
	});
});

it('a result delivery that is none of the choices is refused', () => {
	const resultDelivery = 'URL';
	const respUrl = 'https://example.com/x';
	expect(sentFor('call', 'notify', { ...NOTIFY, resultDelivery, respUrl })).toBe('refused');
});

it('a switch that an expression gives as text shows what belongs to it', () => {
	const sent = sentFor('subAccount', 'getAll', { returnAll: 'false', limit: 5, options: {} });
	expect(sent).toMatchObject({ offset: '5' });
});

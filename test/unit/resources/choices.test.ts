import type { IDataObject } from 'n8n-workflow';

import { operationOf } from '../../../nodes/Yuntongxun/resources';
import { FormRefusal } from '../../../nodes/Yuntongxun/resources/form';
import { itemForm } from '../../../nodes/Yuntongxun/resources/itemForm';
import { prepareItem } from '../../../nodes/Yuntongxun/resources/prepare';
import { accountOf } from '../../../nodes/Yuntongxun/service/account';
import { itemContext } from '../support/itemContext';

const ACCOUNT = accountOf({
	accountSid: 'made-up',
	authToken: 'made-up',
	appId: 'app1',
	baseUrl: 'https://example.com',
});

/** The fields that go out for a form as n8n holds it, or that it was refused. */
function sentFor(resource: string, operation: string, parameters: IDataObject) {
	const chosen = operationOf(resource, operation);
	if (chosen === undefined) throw new Error('no such operation');
	try {
		const form = itemForm(itemContext(parameters), 0, chosen, ACCOUNT);
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

it('choices that are made bring their fields along', () => {
	expect(sentFor('call', 'notify', NOTIFY)).toMatchObject({ mediaTxt: 'Hello' });
	expect(sentFor('call', 'verify', VERIFY)).toMatchObject({ verifyCode: '384512' });
});

describe.each(EMPTY)('a choice that an expression leaves empty (%j) is refused', (nothing) => {
	it.each<[string, string, IDataObject, string]>([
		['call', 'notify', NOTIFY, 'content'],
		['call', 'notify', NOTIFY, 'resultDelivery'],
		['call', 'notify', { ...NOTIFY, content: 'audio', mediaName: 'a.wav' }, 'mediaNameType'],
		['call', 'verify', VERIFY, 'voice'],
		['call', 'verify', VERIFY, 'codeSource'],
		['call', 'verify', VERIFY, 'resultDelivery'],
		['subAccount', 'create', { friendlyName: 'a', options: {} }, 'onDuplicate'],
	])('%s, %s', (resource, operation, parameters, choice) => {
		expect(sentFor(resource, operation, { ...parameters, [choice]: nothing })).toBe('refused');
	});
});

it.each([
	['content', NOTIFY, 'notify'],
	['resultDelivery', NOTIFY, 'notify'],
	['voice', VERIFY, 'verify'],
	['codeSource', VERIFY, 'verify'],
	['resultDelivery', VERIFY, 'verify'],
])('a %s that is none of the choices is refused', (choice, parameters, operation) => {
	const respUrl = 'https://example.com/x';
	expect(sentFor('call', operation, { ...parameters, respUrl, [choice]: 'URL' })).toBe('refused');
});

it('a switch that an expression gives as text shows what belongs to it', () => {
	const sent = sentFor('subAccount', 'getAll', { returnAll: 'false', limit: 5, options: {} });
	expect(sent).toMatchObject({ offset: '5' });
});

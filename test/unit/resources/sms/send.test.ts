import type { IDataObject } from 'n8n-workflow';

import { sendTemplateSms } from '../../../../nodes/Yuntongxun/resources/sms/send';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

function textWith(parameters: IDataObject, storedId?: unknown) {
	const filled = { ...exampleForm('sms', 'send').parameters, ...parameters } as IDataObject;
	const storedParameter = (name: string) => (name === 'templateId' ? storedId : undefined);
	const changes = { storedParameter, account: { appId: 'app' }, inProduction: false };
	return sendTemplateSms.prepare(buildForm(filled, changes)).work;
}

it('a request takes 200 numbers, as section 8 of the specification says', () => {
	expect(textWith({}).maxNumbersPerRequest).toBe(200);
});

it('a number of another country brings a hint', () => {
	expect(textWith({ to: '13800000000, +852 1234 5678' }).hints).toEqual([
		expect.stringMatching(/^A foreign number is being called or texted\. /),
	]);
	expect(textWith({ to: '13800000000, +86 138 0000 0001' }).hints).toEqual([]);
});

it('an empty variable keeps its place, and brings a hint', () => {
	const sms = textWith({ datas: ['a', '', null, 'b'] });
	expect(sms.requestFor(['1']).fields.datas).toEqual(['a', '', '', 'b']);
	expect(sms.hints).toEqual(
		[2, 3].map((at) => expect.stringContaining(`Variable {${at}} is empty`)),
	);
});

describe('the text of a rehearsed SMS', () => {
	const previewOf = (cachedResultName: unknown, datas: string[], templateId = '7') =>
		textWith({ templateId, datas }, { mode: 'list', value: '7', cachedResultName }).rehearse()
			.members;

	it.each<[string, string[], string]>([
		['Code {1}, {2} minutes', ['384512', '10'], 'Code 384512, 10 minutes'],
		['{1} and {1}, not {2} or {a}', ['x'], 'x and x, not {2} or {a}'],
		['[{1}] [{2}]', ['', '{1}'], '[] [{1}]'],
		['{1}', ["$& $1 $'"], "$& $1 $'"],
		['See (7): {1}', ['x'], 'See (7): x'],
	])('fills in the picked template %j with %j', (text, datas, preview) => {
		expect(previewOf(`Title (7): ${text}`, datas)).toEqual({ preview });
	});

	it('is unknown if the template was not picked, or is another one', () => {
		expect(previewOf(undefined, ['x'])).toBeUndefined();
		expect(previewOf('Title (8): {1}', ['x'])).toBeUndefined();
		expect(textWith({}, '7').rehearse().members).toBeUndefined();
	});
});

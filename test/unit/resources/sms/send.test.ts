import type { IDataObject } from 'n8n-workflow';

import { sendTemplateSms } from '../../../../nodes/Yuntongxun/resources/sms/send';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

const numbers = (count: number) =>
	Array.from({ length: count }, (_each, at) => String(13_800_000_000 + at)).join();

function textTo(to: string, options: IDataObject = {}) {
	const parameters = { ...exampleForm('sms', 'send').parameters, to } as IDataObject;
	return sendTemplateSms.prepare(buildForm(parameters, { options, account: { appId: 'app' } }))
		.work;
}

it('an ID in reports is for one request of 200 numbers, as section 8 of the specification says', () => {
	const options = { reqId: 'order42' };
	expect(textTo(numbers(200), options).maxNumbersPerRequest).toBe(200);
	expect(() => textTo(numbers(201), options)).toThrow(/^'ID in Reports'.* 201/);
});

it('a number of another country brings a hint', () => {
	expect(textTo('13800000000, +852 1234 5678').hints).toEqual([
		expect.stringMatching(/^A foreign number is being called or texted\. /),
	]);
	expect(textTo('13800000000, +86 138 0000 0001').hints).toEqual([]);
});

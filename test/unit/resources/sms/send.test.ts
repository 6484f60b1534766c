import type { IDataObject } from 'n8n-workflow';

import { sendTemplateSms } from '../../../../nodes/Yuntongxun/resources/sms/send';
import { exampleForm } from '../../../support/exampleForms';
import { buildForm } from '../../../support/form';

const numbers = (count: number) =>
	Array.from({ length: count }, (_each, at) => String(13_800_000_000 + at)).join();

/** An SMS to so many numbers. */
function textTo(count: number, options: IDataObject = {}) {
	const parameters = {
		...exampleForm('sms', 'send').parameters,
		to: numbers(count),
	} as IDataObject;
	return sendTemplateSms.prepare(buildForm(parameters, { options, account: { appId: 'app' } }));
}

it('a request takes 200 numbers, as section 8 of the specification says', () => {
	expect(textTo(1).maxNumbersPerRequest).toBe(200);
});

it('an ID in reports is for one request', () => {
	const options = { reqId: 'order42' };
	expect(textTo(200, options).recipients).toHaveLength(200);
	expect(() => textTo(201, options)).toThrow(/^'ID in Reports'.* 201/);
});

it('a number of another country brings a hint', () => {
	const hintsFor = (to: string) =>
		sendTemplateSms.prepare(
			buildForm({ ...exampleForm('sms', 'send').parameters, to } as IDataObject, {
				account: { appId: 'app' },
			}),
		).hints;
	expect(hintsFor('13800000000, +852 1234 5678')).toEqual([
		expect.stringMatching(/^A foreign number is being texted\. /),
	]);
	expect(hintsFor('13800000000, +86 10 12345678')).toEqual([]);
});

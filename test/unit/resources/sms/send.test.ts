import type { IDataObject } from 'n8n-workflow';

import { exampleForm } from '../../../support/exampleForms';
import { checkedItem } from '../../../support/trip';

const example = exampleForm('sms', 'send').parameters as IDataObject;

it('SMS have the same text where application, template and variables are the same', () => {
	const textIdOf = (changes: IDataObject) => {
		const { task } = checkedItem('sms', 'send', { ...example, ...changes });
		return task.kind === 'message' ? task.textId : undefined;
	};
	const plain = textIdOf({});
	expect(plain).toBeDefined();
	expect(textIdOf({ to: '13900000000' })).toBe(plain);
	for (const other of [
		textIdOf({ appId: 'another' }),
		textIdOf({ templateId: '1' }),
		textIdOf({ datas: ['another', 'text'] }),
	]) {
		expect(other).not.toBe(plain);
	}
});

import fc from 'fast-check';

import { encode } from '../../nodes/Yuntongxun/client/codec';
import type { Validator } from '../../nodes/Yuntongxun/operation/field';
import * as validators from '../../nodes/Yuntongxun/operation/validators';
import { readJsonBody } from '../../simulator/jsonBody';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import { readXmlBody } from '../../simulator/xmlBody';
import { buildForm, buildProperty } from '../support/form';
import { isWhole, typedText, xmlCanCarry } from '../support/texts';

// Which field has which rule: test/unit/resources/everyField.test.ts.

const FORMATS = ['json', 'xml'] as const;
type Format = (typeof FORMATS)[number];

const isSendable = (text: string, format: Format) =>
	format === 'xml' ? xmlCanCarry(text) : isWhole(text);

/** What goes out of a text: whole characters, in XML blanks for what it cannot carry. */
const hear = (text: string, format: Format) =>
	[...text]
		.filter(isWhole)
		.map((character) => (format === 'xml' && !xmlCanCarry(character) ? ' ' : character))
		.join('');

const { text, textList, textOrJson, spokenText } = validators;

const isSeen = (text: string) => validators.isVisible(text);

/** What each rule makes of a text, and whether it then refuses it. */
const RULES: Record<
	string,
	[Validator<unknown>, (typed: string, format: Format) => unknown, (heard: string) => boolean]
> = {
	text: [text, hear, () => false],
	textOrJson: [textOrJson, hear, () => false],
	spokenText: [
		spokenText,
		hear,
		(heard) =>
			!isSeen(heard) ||
			!/[\p{L}\p{N}\p{S}]/u.test(heard.replace(/[\u115f\u1160\u3164\uffa0\u2800]/g, '')),
	],
	textList: [textList, (typed, format) => [hear(typed, format)], (heard) => !isSeen(heard)],
};

describe.each(FORMATS)('in %s', (format) => {
	it.each(Object.entries(RULES))('any text is as the rule %s wants it, or refused', (_, rule) => {
		const [validate, readText, refuses] = rule;
		fc.assert(
			fc.property(typedText, (typed) => {
				fc.pre(typed !== '');
				const property = buildProperty({ displayName: 'To' });
				const read = () => validate(typed, property, buildForm({}, { inXml: format === 'xml' }));
				const wanted = readText(typed, format);
				if (refuses(String(wanted))) expect(read).toThrow(/^'To' /);
				else expect(read() ?? '').toEqual(wanted);
			}),
		);
	});

	it('texts arrive in their fields as they are, and in no other', () => {
		const known = SIMULATED.find(({ name }) => name === 'TemplateSMS');
		if (known === undefined) throw new Error('The service sends no SMS');
		const sendable = typedText.filter((each) => isSendable(each, format));
		const fields = fc.record({ to: sendable, appId: sendable, templateId: sendable });
		fc.assert(
			fc.property(fields, fc.array(sendable, { minLength: 1, maxLength: 5 }), (texts, datas) => {
				const body = encode(format, 'TemplateSMS', { ...texts, datas });
				const read = format === 'xml' ? readXmlBody(body, known) : readJsonBody(body);
				expect(read.violations).toEqual([]);
				expect(Object.fromEntries(read.content?.fields ?? [])).toEqual(texts);
				expect(read.content?.datas).toEqual(datas);
			}),
		);
	});
});

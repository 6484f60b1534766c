import fc from 'fast-check';

import { encode } from '../../nodes/Yuntongxun/client/codec';
import type { Validator } from '../../nodes/Yuntongxun/operation/field';
import * as validators from '../../nodes/Yuntongxun/operation/validators';
import { readJsonBody } from '../../simulator/jsonBody';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import { readXmlBody } from '../../simulator/xmlBody';
import { buildForm, buildProperty } from '../support/form';
import { hasOnlyBlanks, isWhole, typedText, xmlCanCarry } from './support/texts';

// Which field has which rule: test/unit/resources/everyField.test.ts.

const FORMATS = ['json', 'xml'] as const;
type Format = (typeof FORMATS)[number];

/** Text that got lost when it was read is refused in both formats. */
const isRefused = (text: string, format: Format) =>
	text.includes('\ufffd') || (format === 'xml' ? !xmlCanCarry(text) : !isWhole(text));

/** What a person hears or reads of a text: whole characters, in XML blanks for what it cannot carry. */
const hear = (text: string, format: Format) =>
	[...text]
		.filter(isWhole)
		.map((character) => (format === 'xml' && !xmlCanCarry(character) ? ' ' : character))
		.join('');

const filesIn = (text: string) =>
	text
		.split(/[;；]/)
		.map((name) => name.trim())
		.filter((name) => name !== '')
		.join(';');

const { text, textList, textOrJson, trimmed, visibleText, fileNames } = validators;

/** What each rule makes of a text, and whether it then refuses it. */
const RULES: Record<
	string,
	[Validator<unknown>, (typed: string, format: Format) => unknown, typeof isRefused]
> = {
	text: [text, (typed) => typed, isRefused],
	textOrJson: [textOrJson, (typed) => typed, isRefused],
	trimmed: [trimmed, (typed) => typed.trim(), isRefused],
	fileNames: [fileNames, filesIn, isRefused],
	visibleText: [visibleText, hear, (heard, format) => hasOnlyBlanks(hear(heard, format))],
	textList: [textList, (typed, format) => [hear(typed, format)], () => false],
};

describe.each(FORMATS)('in %s', (format) => {
	it.each(Object.entries(RULES))('any text is as the rule %s wants it, or refused', (_, rule) => {
		const [validate, readText, refuses] = rule;
		fc.assert(
			fc.property(typedText, (typed) => {
				fc.pre(typed.trim() !== '' && typed.trim() !== 'undefined');
				const property = buildProperty({ displayName: 'To' });
				const read = () => validate(typed, property, buildForm({}, { inXml: format === 'xml' }));
				const wanted = readText(typed, format);
				if (refuses(String(wanted), format)) expect(read).toThrow(/^'To' /);
				else expect(read() ?? '').toEqual(wanted);
			}),
		);
	});

	it('texts arrive in their fields as they are, and in no other', () => {
		const known = SIMULATED.find(({ name }) => name === 'TemplateSMS');
		if (known === undefined) throw new Error('The service sends no SMS');
		const sendable = typedText.filter((each) => !isRefused(each, format));
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

import type { INodeProperties } from 'n8n-workflow';

import type { Validator } from '../../nodes/Yuntongxun/operation/field';
import { callNumber, smsNumber, smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { recipientFilter } from '../../nodes/Yuntongxun/operation/recipientFilter';
import * as validators from '../../nodes/Yuntongxun/operation/validators';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { fillTemplateText } from '../../nodes/Yuntongxun/resources/sms/variables';
import { exampleForm } from '../support/exampleForms';
import { buildForm, buildProperty } from '../support/form';

// Whoever fills in a public form chooses the text. No text may hold up n8n for longer than reading
// it takes, so four times the text may take about four times as long, never sixteen times.

/** Texts that patterns with several ways through them fall for. */
const HOSTILE: Record<string, (length: number) => string> = {
	'a number with hyphens': (length) => `1${'-'.repeat(length)}x`,
	digits: (length) => `${'1'.repeat(length)}x`,
	'digits and hyphens': (length) => `${'1-'.repeat(length / 2)}x`,
	'digits and points': (length) => `1${'.1'.repeat(length / 2)}x`,
	blanks: (length) => `${' '.repeat(length)}x${' '.repeat(length)}x`,
	'line ends': (length) => `${'\r\n'.repeat(length / 2)}x`,
	separators: (length) => ',;；、'.repeat(length / 4),
	'separators and blanks': (length) => ' , ;'.repeat(length / 4),
	'invisible marks': (length) => '\u200e\u202a'.repeat(length / 2),
	braces: (length) => '{1'.repeat(length / 2),
	'a brace and digits': (length) => `{${'1'.repeat(length)}`,
	'an address': (length) => `https://${'a.'.repeat(length / 2)} `,
	slashes: (length) => `https:${'/'.repeat(length)}`,
	emojis: (length) => '😀'.repeat(length / 2),
	asterisks: (length) => '*,'.repeat(length / 2),
	parentheses: (length) => `0${'(0)'.repeat(length / 3)}x`,
	'extension marks': (length) => `1${'转 '.repeat(length / 2)}x`,
	'quotes and points': (length) => `1${'".0'.repeat(length / 3)}x`,
	exponents: (length) => `1${'e1'.repeat(length / 2)}x`,
};

const PROPERTY: INodeProperties = buildProperty({ displayName: 'To', required: true });

const read =
	<T>(validate: Validator<T>) =>
	(text: string): unknown =>
		validate(text, PROPERTY, buildForm({}, { inXml: true }));

const listRead =
	<T>(validate: Validator<T>) =>
	(text: string): unknown =>
		validate([text, { a: text }], PROPERTY, buildForm());

const READERS: Record<string, (text: string) => unknown> = {
	callNumber: read(callNumber),
	smsNumber: read(smsNumber),
	smsNumbers: read(smsNumbers),
	recipientFilter: read(recipientFilter),
	toPlainText: validators.toPlainText,
	text: read(validators.text),
	trimmed: read(validators.trimmed),
	visibleText: read(validators.visibleText),
	matching: read(validators.matching(/^[A-Za-z0-9]{4,8}$/, '4 to 8 letters and digits')),
	webAddress: read(validators.webAddress),
	textOrJson: read(validators.textOrJson),
	textList: listRead(validators.textList),
	fileNames: read(validators.fileNames),
	integerText: read(validators.integerText),
	wholeNumber: read(validators.wholeNumber),
	choice: (text) =>
		validators.choice(text, buildProperty({ options: [{ name: 'A', value: 'a' }] })),
	boolean: read(validators.boolean),
	fillTemplateText: (text) => fillTemplateText(text, ['x']),
};

/** Milliseconds that reading a text takes, the best of three. */
function measure(reader: (text: string) => unknown, text: string): number {
	const times = [1, 2, 3].map(() => {
		const start = process.cpuUsage();
		try {
			reader(text);
		} catch {
			// A refusal is as good as a value here.
		}
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1000;
	});
	return Math.min(...times);
}

/** What 256 KB may take of a slow processor; a quadratic pattern takes many seconds. */
const MAX_MS = 1000;
const LENGTH = 1 << 18;

const rows = Object.entries(READERS).flatMap(([name, reader]) =>
	Object.entries(HOSTILE).map(([text, write]) => ({ name, reader, text, write })),
);

it.each(rows)('$name reads $text in no time, however many they are', ({ reader, write }) => {
	expect(measure(reader, write(LENGTH / 16))).toBeLessThan(MAX_MS);
	expect(measure(reader, write(LENGTH))).toBeLessThan(MAX_MS);
});

it('all validators are held to this', () => {
	const { holdsSeveral, toIsoText, ...readers } = validators;
	expect([holdsSeveral(''), toIsoText('')]).toEqual([false, '']);
	expect(Object.keys(readers).filter((name) => !Object.hasOwn(READERS, name))).toEqual([]);
});

const OWN = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap((operation) => {
		const { parameters } = exampleForm(value, operation.value);
		const fields = Object.values(operation.fields).filter(
			({ property: { type } }) => type === 'string',
		);
		return fields.map((field) => ({
			path: `${value}.${operation.value} ${field.property.name}`,
			reader: (text: string) =>
				field.read(buildForm({ ...parameters, [field.property.name]: text })),
		}));
	}),
);

it.each(OWN)('$path takes no hostile text for long', ({ reader }) => {
	for (const write of Object.values(HOSTILE)) {
		expect(measure(reader, write(LENGTH / 16))).toBeLessThan(MAX_MS);
	}
});

it.each([',', ' ,', '-,'])('16 MB of "%s" are refused at once', (each) => {
	const text = each.repeat((1 << 24) / each.length);
	expect(measure(READERS.smsNumbers, text)).toBeLessThan(MAX_MS);
	expect(measure(READERS.callNumber, text)).toBeLessThan(MAX_MS);
});

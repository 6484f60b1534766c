import { callNumber, smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { textList } from '../../nodes/Yuntongxun/operation/validators';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { buildPreview } from '../../nodes/Yuntongxun/resources/smsTemplate/templateId';
import { exampleForm } from '../support/exampleForms';
import { buildForm, buildProperty } from '../support/form';
import { expectLinear } from '../support/linear';

// Whoever fills in a public form chooses the text. No text may hold up n8n for longer than reading
// it takes.

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

const LENGTH = 1 << 15;

/** How each field and option of each form reads a text, beside an example of the others. */
const FIELDS = RESOURCES.flatMap(({ value, operations }) =>
	operations.flatMap((operation) => {
		const { parameters } = exampleForm(value, operation.value);
		const name = `${value}.${operation.value}`;
		const fields = Object.values(operation.fields).map((field) => ({
			path: `${name} ${field.property.name}`,
			read: (text: string) =>
				field.read(buildForm({ ...parameters, [field.property.name]: text }, { inXml: true })),
		}));
		const options = Object.values(operation.options).map((option) => ({
			path: `${name} ${option.property.name}`,
			read: (text: string) =>
				option.read(buildForm(parameters, { options: { [option.property.name]: text } })),
		}));
		return [...fields, ...options];
	}),
);

it.each(FIELDS)('$path takes no hostile text for long', ({ read }) => {
	for (const write of Object.values(HOSTILE)) expectLinear(LENGTH, write, read);
});

it('a variable list and the text of a template stay fast with hostile text', () => {
	for (const write of Object.values(HOSTILE)) {
		const readRows = (text: string) => textList([text, { a: text }], buildProperty(), buildForm());
		expectLinear(LENGTH, write, readRows);
		expectLinear(LENGTH, write, (text) => {
			const templateId = { cachedResultName: `Title (7): ${text}` };
			return buildPreview(buildForm({}, { storedParameter: () => templateId }), '7', ['x']);
		});
	}
});

it.each([',', ' ,', '-,'])('16 MB of "%s" are refused at once', (each) => {
	const write = (length: number) => each.repeat(length / each.length);
	for (const validate of [smsNumbers, callNumber]) {
		expectLinear(1 << 24, write, (text) => validate(text, buildProperty(), buildForm()));
	}
});

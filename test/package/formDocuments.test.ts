import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters, INodeProperties } from 'n8n-workflow';

import { OPERATIONS as SIMULATED } from '../simulator/operations';
import { isChineseDue } from '../support/chinese';
import { exampleForm } from '../support/exampleForms';
import { FORMS, WORDS_OF_FORMS, type Form } from './support/forms';
import { documents, PROJECT, read, rowsUnder } from './support/markdown';

/** Service's fields that a form offers under another name. */
const OTHER_NAMES: Record<string, string> = {
	'call.notify content': 'playMode',
	'sms.send datas': 'datas',
	'subAccount.getAll limit': 'offset',
	'call.getResult callSid': 'callsid',
	'Yuntongxun Trigger events': 'action',
	'Yuntongxun Trigger outcomes': 'state',
	'Credential accountSid': 'accountSid',
	'Credential appId': 'appId',
};

/** The service's own name for a field; a dash if the service has no such field. */
function serviceField({ title, operation }: Form, { name }: INodeProperties): string {
	const other = OTHER_NAMES[`${operation ?? title} ${name}`];
	if (other !== undefined) return `\`${other}\``;
	if (operation === undefined) return '—';
	const { endpoint } = exampleForm(...(operation.split('.') as [string, string]));
	const simulated = SIMULATED.find((each) => each.name === endpoint);
	return simulated?.fields.some((field) => field.name === name) ? `\`${name}\`` : '—';
}

const CHINESE = [
	'docs/zh-CN/operations.md',
	'必填',
	(title: string) => (title === 'Credential' ? '凭证' : title.replace(': ', '：')),
] as const;

describe.each([
	['docs/operations.md', 'Required', (title: string) => title] as const,
	...(isChineseDue ? [CHINESE] : []),
])('%s', (file, required, titleIn) => {
	const text = read(file);

	const isField = ([label, , ...more]: string[]) => !label.includes('`') && more.length > 0;

	/** The fields in the chapter of a form, and in each chapter of options that it shares. */
	const documented = (form: Form) =>
		rowsUnder(text, titleIn(form.title)).map((rows) => rows.filter(isField));

	const shown = (form: Form, property: INodeProperties) => [
		property.displayName,
		serviceField(form, property),
	];

	test.each(FORMS.map((form) => [form.title, form] as const))(
		'%s: every field in the order of the form, with the name the service has for it',
		(_, form) => {
			const [own, ...shared] = documented(form).map((rows) =>
				rows.map((cells) => [cells[0], String(cells.at(-2))]),
			);
			const fields = form.fields.map((property) => shown(form, property));
			expect(own.slice(0, fields.length)).toEqual(fields);
			const chapters = [own.slice(fields.length), ...shared];
			const options = form.options.map((property) => shown(form, property));
			const position = ([label]: string[]) => options.findIndex(([each]) => each === label);
			const inOrder = (rows: string[][]) => [...rows].sort((a, b) => position(a) - position(b));
			expect(inOrder(chapters.flat())).toEqual(options);
			for (const rows of chapters) expect(rows).toEqual(inOrder(rows));
		},
	);

	test.each(FORMS.map((form) => [form.title, form] as const))(
		'%s: what has to be filled in is marked, and nothing else',
		(_, form) => {
			const marked = documented(form)
				.flat()
				.filter((cells) => cells.at(-1)?.split(/[.。]/)[0].includes(required))
				.map(([label]) => label);
			const missing = form.fields.filter((property) => property.required);
			const always = missing.map(({ displayName }) => displayName);
			expect(marked).toEqual(always);
		},
	);
});

/** What n8n itself calls its things. */
const WORDS_OF_N8N = new Set([
	'Production URL',
	'Test URL',
	'On Error',
	'Retry On Fail',
	'Execute step',
	'Execute workflow',
	'Triggers',
	'Trigger manually',
	'Yuntongxun Tool',
	'Test',
	'Publish',
	'Community Nodes',
	'Data Tables',
	'Error Workflow',
	'Wait',
	'Run Once for Each Item',
	'Approve',
	'Decline',
	'Path',
]);

const NODES_OF_EXAMPLES = readdirSync(join(PROJECT, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.flatMap((file) => (JSON.parse(read(`examples/${file}`)) as { nodes: INode[] }).nodes);

/** Names of the nodes in the examples and of their own forms' fields, which their page speaks of. */
const WORDS_OF_EXAMPLES = new Set(
	NODES_OF_EXAMPLES.flatMap(({ name, parameters }) => {
		const { values = [] } = (parameters.formFields ?? {}) as { values?: INodeParameters[] };
		return [name, ...values.map(({ fieldLabel }) => String(fieldLabel))];
	}),
);

/** Documents that say how forms are filled in. */
const FOR_MAINTAINERS = /^docs\/(?:architecture|benchmarks|reliability)/;
const FOR_USERS = documents().filter(
	(file) => /^(?:README|SECURITY|docs\/|examples\/)/.test(file) && !FOR_MAINTAINERS.test(file),
);

test.each(FOR_USERS)('%s names no field or choice that the forms do not have', (file) => {
	const bold = [...read(file).matchAll(/\*\*([A-Z][A-Za-z ()]+)\*\*/g)].map(([, words]) => words);
	const isLabel = (words: string) =>
		words.split(' ').every((word) => /^(?:[A-Z(]|in$|by$|per$|the$|to$|for$|of$|on$)/.test(word));
	const known = [WORDS_OF_FORMS, WORDS_OF_N8N, WORDS_OF_EXAMPLES];
	const unknown = bold.filter((words) => isLabel(words) && !known.some((set) => set.has(words)));
	expect(bold.length).toBeGreaterThan(0);
	expect([...new Set(unknown)]).toEqual([]);
});

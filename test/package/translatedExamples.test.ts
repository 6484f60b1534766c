import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowDefinition, WorkflowNode } from '../harness/n8nRest';
import { isChineseDue } from '../support/chinese';
import { PROJECT } from '../../tools/documents/markdown';
import { WORDS_OF_FORMS } from '../../tools/documents/forms';
import { ExampleTranslator, type ExampleTexts } from '../../tools/examples/translateExample';

const ENGLISH = join(PROJECT, 'examples');
const CHINESE = join(ENGLISH, 'zh-CN');
const isWriting = process.env.WRITE_DOCUMENTS === '1';

const readJson = <T>(...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8')) as T;
const list = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.json'));
const files = list(ENGLISH);
const translator = new ExampleTranslator(
	readJson<ExampleTexts>(PROJECT, 'translations/examples.zh-CN.json'),
);

(isChineseDue ? describe : describe.skip)('The examples in Chinese', () => {
	test.each(files)('%s is made from the English one', (file) => {
		const wanted = translator.translate(readJson<WorkflowDefinition>(ENGLISH, file));
		if (isWriting) {
			mkdirSync(CHINESE, { recursive: true });
			writeFileSync(join(CHINESE, file), `${JSON.stringify(wanted, null, '\t')}\n`);
		}
		// As text, since the order of nodes and connections counts.
		const isSame = JSON.stringify(readJson(CHINESE, file)) === JSON.stringify(wanted);
		if (!isSame) throw new Error(`npm run fix writes examples/zh-CN/${file} anew`);
	});

	test('are those that there are in English', () => {
		const others = list(CHINESE).filter((file) => !files.includes(file));
		if (isWriting) for (const file of others) rmSync(join(CHINESE, file));
		else expect(others).toEqual([]);
	});

	test('use every row of the table', () => {
		expect(translator.findUnused()).toEqual([]);
	});
});

test('A text without a row is named', () => {
	const nothing = new ExampleTranslator({ nodes: {}, columns: {}, texts: {} });
	const example = readJson<WorkflowDefinition>(ENGLISH, 'appointment-reminders-from-file.json');
	const translate = () => nothing.translate(example);
	// A node, a note, a page with expressions, and a text in an expression.
	expect(translate).toThrow(/"Text Reminder"\n[^]*"## Try it[^]*"name or time missing or garbled"/);
	expect(translate).toThrow(/"\{1\} sent, \{2\} not"/);
});

/** Every text of a workflow, with the place where it stands. */
function collectTexts(value: unknown, place: string): Array<[place: string, text: string]> {
	if (typeof value === 'string') return [[place, value]];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, each]) => collectTexts(each, `${place}.${key}`));
}

const collectParameters = ({ nodes }: WorkflowDefinition) =>
	collectTexts(
		nodes.map(({ parameters, notes }) => ({ ...parameters, notes })),
		'',
	);

/** What n8n shows or says of a text: not the code in it, but the words that the code has. */
function findWords(text: string): string[] {
	const isCode = /^=|^\/\/|<script>/.test(text);
	if (!isCode) return [text];
	const quoted = [...text.matchAll(/'([^'\n]*)'|`([^`\n]*)`|\/\/ (.*)|>([^<>{}]+)</g)];
	return [text.replace(/\{\{[^]*?\}\}|<[^]*/g, ''), ...quoted.flatMap((words) => words.slice(1))]
		.filter(Boolean)
		.filter((words) => !words.startsWith('// '));
}

/** Connections by the numbers of the nodes. */
function numberNodes({ nodes, connections }: WorkflowDefinition): unknown {
	const number = (name: string) => nodes.findIndex((node) => node.name === name);
	return Object.entries(connections).map(([from, ways]) => [
		number(from),
		JSON.parse(JSON.stringify(ways), (key, value: unknown) =>
			key === 'node' ? number(String(value)) : value,
		),
	]);
}

const readFields = ({ parameters }: WorkflowNode) =>
	collectTexts(parameters, '').flatMap(([place, text]) =>
		/\.(?:fieldLabel|assignments\.\d+\.name)$/.test(place) ? text : [],
	);

/** What n8n calls its own things. */
const WORDS_OF_N8N = ['Execute workflow', 'Publish', 'Authentication', 'Basic Auth', 'Path'].concat(
	['Open chat', 'Error Workflow'],
);

(isChineseDue ? describe : describe.skip).each(files)('In Chinese, %s', (file) => {
	const english = readJson<WorkflowDefinition>(ENGLISH, file);
	let chinese: WorkflowDefinition;
	let texts: Array<[place: string, text: string]>;
	let names: string[];
	beforeAll(() => {
		chinese = translator.translate(english);
		texts = collectParameters(chinese);
		names = chinese.nodes.map(({ name }) => name);
	});

	test('does the same', () => {
		expect(numberNodes(chinese)).toEqual(numberNodes(english));
		expect(chinese.settings).toEqual(english.settings);
		expect(new Set(names).size).toBe(names.length);
		expect(chinese.nodes.map(({ id, type, position }) => [id, type, position])).toEqual(
			english.nodes.map(({ id, type, position }) => [id, type, position]),
		);
	});

	test('has other words in the same places, and nothing else', () => {
		const theirs = collectParameters(english);
		expect(texts.map(([place]) => place)).toEqual(theirs.map(([place]) => place));
		const changed = texts.filter(([, text], at) => text !== theirs[at][1]);
		// n8n calls a file by its field's label, each letter that is not ASCII an underscore.
		expect(changed.filter(([, text]) => !/\p{Script=Han}|__/u.test(text))).toEqual([]);
		const TECHNICAL =
			/\.(?:operation|resource|mode|by|per|resultDelivery|path|httpMethod|keyName)$/;
		expect(changed.filter(([place]) => TECHNICAL.test(place))).toEqual([]);
	});

	test('has no English sentence', () => {
		const sentences = texts
			.flatMap(([, text]) => findWords(text))
			.map((text) => text.replace(/`[^`]*`|https?:\S+|\([A-Z][A-Za-z ]+\)/g, ''))
			.filter((text) => /[A-Za-z]{2,}[,.]? [A-Za-z]+[,.]? [A-Za-z]{2,}/.test(text));
		expect(sentences).toEqual([]);
		const shown = texts.filter(([place]) =>
			/\.(?:notes|form(?:Title|Description)|completion\w+|buttonLabel|initialMessages|fileName)$/.test(
				place,
			),
		);
		expect(shown.map(([, text]) => text).filter((text) => !/\p{Script=Han}/u.test(text))).toEqual(
			[],
		);
	});

	test('names nodes and fields that it has', () => {
		const fields = chinese.nodes.flatMap(readFields);
		const code = texts.map(([, text]) => text).join('\n');
		const named = [...code.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
		const read = [...code.matchAll(/\bjson\['([^']+)'\]/g)].map(([, name]) => name);
		const columns = ['姓名', '手机号', '时间'];
		expect(read.filter((name) => ![...fields, ...columns].includes(name))).toEqual([]);
	});

	test('has notes that name nodes, fields and what n8n calls its things', () => {
		const fields = chinese.nodes.flatMap(readFields);
		const notes = texts.filter(([place]) => place.endsWith('.content')).map(([, text]) => text);
		const bold = notes.flatMap((note) => [...note.matchAll(/\*\*(.+?)\*\*/g)]);
		expect(bold.length).toBeGreaterThan(0);
		const known = [...names, ...fields, ...WORDS_OF_N8N, '短信', '提问'];
		const unknown = bold
			.map(([, words]) => words)
			.filter((words) => !known.includes(words))
			.filter((words) => !WORDS_OF_FORMS.has(/ \((.+)\)$/.exec(words)?.[1] ?? ''));
		expect(unknown).toEqual([]);
		// Behind a punctuation mark, n8n's Markdown closes nothing before a letter.
		expect(notes.join('\n')).not.toMatch(/[)？]\*\*\p{Script=Han}/u);
	});
});

import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';

import { isChineseDue } from '../support/chinese';
import { CHINESE_ADDED } from '../../tools/documents/chineseFields';
import {
	ADDED,
	CHAPTERS,
	listChapters,
	CHINESE,
	ENGLISH,
	ignoreWidths,
	withTables,
	type Language,
} from '../../tools/documents/fieldTables';
import { WORDS_OF_FORMS } from '../../tools/documents/forms';
import { documents, PROJECT, read } from '../../tools/documents/markdown';

const TWINS: Array<[string, Language]> = [
	['docs/operations.md', ENGLISH],
	...(isChineseDue ? [['docs/zh-CN/operations.md', CHINESE] as [string, Language]] : []),
];

describe.each(TWINS)('%s', (file, language) => {
	test('has the fields of every form once', () => {
		const chapters = listChapters(read(file));
		expect(new Set(chapters).size).toBe(chapters.length);
		const wanted = CHAPTERS.map(({ name }) => name);
		expect([...chapters].sort()).toEqual(wanted.sort());
	});

	test('describes them as the forms do', () => {
		const text = read(file);
		const wanted = withTables(text, language);
		if (process.env.WRITE_DOCUMENTS === '1') writeFileSync(join(PROJECT, file), wanted);
		else if (ignoreWidths(wanted) !== ignoreWidths(text)) {
			throw new Error(`npm run fix writes the tables of ${file} anew`);
		}
	});
});

(isChineseDue ? test : test.skip)(
	'What the tables add to the forms is there in Chinese, too',
	() => {
		expect(Object.keys(CHINESE_ADDED).sort()).toEqual(Object.keys(ADDED).sort());
	},
);

/** What n8n itself calls its things. */
const WORDS_OF_N8N = new Set([
	'Production URL',
	'Test URL',
	'On Error',
	'Retry On Fail',
	'Execute step',
	'Execute workflow',
	'Triggers',
	'Tool Description',
	'Set Manually',
	'Trigger manually',
	'Yuntongxun Tool',
	'Test',
	'Authentication',
	'Basic Auth',
	'Error Workflow',
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
const FOR_MAINTAINERS = /^docs\/maintainers/;
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

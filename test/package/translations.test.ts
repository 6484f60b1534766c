import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { FORMS } from '../../tools/documents/forms';
import { PROJECT, read } from '../../tools/documents/markdown';

const CHINESE = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** Members of a description that workflows or n8n hold, which nobody reads. */
const STORED = new Set([
	'authenticate',
	'builderHint',
	'codex',
	'credentials',
	'default',
	'defaults',
	'displayOptions',
	'documentationUrl',
	'group',
	'icon',
	'inputs',
	'key',
	'loadOptionsDependsOn',
	'mode',
	'outputs',
	'regex',
	'request',
	'resourceMapperMethod',
	'responseData',
	'responseMode',
	'searchListMethod',
	'subtitle',
	'type',
	'value',
	'webhooks',
]);

/** The fields that a text of the forms belongs to, by text. */
const shown = new Map<string, Set<string>>();

function collect(value: unknown, owner: string): void {
	if (typeof value === 'string') {
		if (/[A-Za-z]/.test(value)) shown.set(value, (shown.get(value) ?? new Set()).add(owner));
		return;
	}
	if (Array.isArray(value)) return value.forEach((each) => collect(each, owner));
	if (typeof value !== 'object' || value === null) return;

	const { name, value: choice } = value as { name?: unknown; value?: unknown };
	const isChoice = choice !== undefined;
	const own = typeof name === 'string' && !isChoice ? name : owner;
	for (const [key, member] of Object.entries(value)) {
		if (!STORED.has(key) && (key !== 'name' || isChoice)) collect(member, own);
	}
}

collect(new Yuntongxun().description, '');
collect(new YuntongxunTrigger().description, '');
collect(new YuntongxunApi().properties, '');

/** The texts in the sources, which refusals, pickers and the test of the credential build at run time. */
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(PROJECT, folder, file)),
);
const written = SOURCES.map((file) => readFileSync(file, 'utf8'));
const literals = new Set<string>();
/** Those that the code translates by themselves. */
const translated = new Set<string>();

for (const [index, file] of SOURCES.entries()) {
	const source = ts.createSourceFile(file, written[index], ts.ScriptTarget.Latest);
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) literals.add(node.text);
		if (ts.isCallExpression(node) && /^translate/.test(node.expression.getText(source))) {
			const [first] = node.arguments;
			if (first && ts.isStringLiteralLike(first)) translated.add(first.text);
		}
		node.forEachChild(visit);
	};
	visit(source);
}

const isTranslated = (text: string, owners: ReadonlySet<string>) =>
	Object.hasOwn(CHINESE, text) ||
	[...owners].every((owner) => Object.hasOwn(CHINESE, `${owner}|${text}`));

test('Every text of the forms has a translation', () => {
	expect(shown.size).toBeGreaterThan(200);
	const missing = [...shown].filter(([text, owners]) => !isTranslated(text, owners));
	expect(missing.map(([text]) => text)).toEqual([]);
	expect(translated.size).toBeGreaterThan(0);
	expect([...translated].filter((text) => !Object.hasOwn(CHINESE, text))).toEqual([]);
});

test('Every translation has a text', () => {
	const unused = Object.keys(CHINESE).filter((key) => {
		const [, name, named = ''] = /^(?:(\w+)\|)?([^]*)$/.exec(key) ?? [];
		const isNamed = name !== undefined && shown.get(named)?.has(name) === true;
		return !isNamed && !shown.has(key) && !literals.has(key);
	});
	expect(unused).toEqual([]);
});

test('A translation has the blanks of its text', () => {
	const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
	for (const [key, text] of Object.entries(CHINESE)) {
		expect({ key, blanks: blanks(text) }).toEqual({ key, blanks: blanks(key) });
	}
});

/** What n8n makes of a label for the key of a value that an agent fills in. */
const toAgentKey = (label: string) => label.replace(/[^a-zA-Z0-9-]/g, '_');

test.each(FORMS)('$title keeps a key of its own for each field in Chinese', (form) => {
	const fields = [...form.fields, ...form.options].filter(
		({ noDataExpression }) => noDataExpression !== true,
	);
	const shownAtOnce = new Map(fields.map((field) => [field.name, field]));
	const keys = [...shownAtOnce.values()].map(({ name, displayName }) =>
		toAgentKey(CHINESE[`${name}|${displayName}`] ?? CHINESE[displayName]),
	);
	expect(new Set(keys).size).toBe(keys.length);
	if (form.operation !== undefined) expect(keys.filter((key) => !/[a-zA-Z]/.test(key))).toEqual([]);
});

test('The label of the events stays one by which n8n finds the triggers of a package', () => {
	expect(CHINESE.Events).toMatch(/Events?|Trigger On/);
});

test('The sources hold no Chinese', () => {
	expect(SOURCES.filter((_, index) => /\p{Script=Han}/u.test(written[index]))).toEqual([]);
});

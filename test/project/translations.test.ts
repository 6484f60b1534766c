import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { describeStatusCode } from '../../nodes/Yuntongxun/client/statusCodes';
import { action, credential, trigger } from '../../tools/documents/forms';
import { anchor, headings, PROJECT, read } from '../../tools/documents/markdown';

const CHINESE = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** Members of a description that workflows or n8n hold, which nobody reads. */
const STORED = new Set(
	(
		'builderHint credentials default defaults displayOptions group icon inputs mode outputs regex ' +
		'searchListMethod subtitle type value webhooks'
	).split(' '),
);

/** The fields that a text of the forms belongs to, by text. */
const shown = new Map<string, Set<string>>();
/** The labels of all fields, but for the two ways to choose from a list. */
const labels: Array<{ owner: string; label: string }> = [];

function collect(value: unknown, owner: string, isMode = false): void {
	if (typeof value === 'string') {
		if (/[A-Za-z]/.test(value)) shown.set(value, (shown.get(value) ?? new Set()).add(owner));
	}
	if (typeof value !== 'object' || value === null) return;
	if (Array.isArray(value)) return value.forEach((each) => collect(each, owner, isMode));

	const { name, value: choice, type, displayName } = value as Record<string, unknown>;
	const isChoice = choice !== undefined;
	const own = typeof name === 'string' && !isChoice ? name : owner;
	const isField = own === name && type !== undefined && type !== 'notice';
	if (isField && !isMode && displayName) labels.push({ owner: own, label: String(displayName) });
	for (const [key, member] of Object.entries(value)) {
		const isRead = !STORED.has(key) && (key !== 'name' || isChoice);
		if (isRead) collect(member, own, isMode || key === 'modes');
	}
}
for (const described of [action, trigger, credential.properties]) collect(described, '');

/** The sources, whose refusals, pickers, hints and test of the credential build texts at run time. */
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(folder, file)),
);
/** The texts of the code, and those that it translates by themselves. */
const literals = new Set<string>();
const translated = new Set<string>();

for (const file of SOURCES) {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
	const visit = (node: ts.Node): void => {
		if (ts.isStringLiteralLike(node)) literals.add(node.text);
		const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
		const [first] = (isCall && node.arguments) || [];
		const isTranslating = isCall && node.expression.getText(source).startsWith('translate');
		if (isTranslating && first && ts.isStringLiteralLike(first)) translated.add(first.text);
		node.forEachChild(visit);
	};
	visit(source);
}

// The words of the status codes: their sentences share parts in the source, and have a row as a whole.
for (let code = 100_000; code < 200_000; code++) {
	const meaning = describeStatusCode(String(code));
	if (meaning === undefined) continue;
	translated.add(`${meaning.summary}. ${meaning.remedy}`);
}

/** What the build of a package in another language puts into files that are no code. */
const packaged = [
	(JSON.parse(read('package.json')) as { description: string }).description,
	credential.documentationUrl,
	...['Yuntongxun', 'YuntongxunTrigger'].flatMap((node) =>
		[...read(`nodes/Yuntongxun/${node}.node.json`).matchAll(/https:[^"]+/g)].map(String),
	),
];

const hasRow = (text: string) => Object.hasOwn(CHINESE, text);

/** In a release only, so that nobody has to write Chinese to add a field: `GITHUB_REF_TYPE=tag npm test` shows it. */
const testOfRelease = process.env.GITHUB_REF_TYPE === 'tag' ? test : test.skip;

testOfRelease(
	'Every text of the forms and of the package has a row in translations/zh-CN.json',
	() => {
		expect(shown.size).toBeGreaterThan(200);
		const missing = [...shown].filter(
			([text, owners]) =>
				!hasRow(text) && ![...owners].every((owner) => hasRow(`${owner}|${text}`)),
		);
		expect(missing.map(([text]) => text)).toEqual([]);
		expect([...translated, ...packaged].filter((text) => !hasRow(text))).toEqual([]);
	},
);

testOfRelease('The help links of the package lead to headings that there are', () => {
	for (const link of packaged.slice(1).map((text) => CHINESE[text])) {
		const [, file = '', heading = ''] = /\/blob\/HEAD\/([^#]+)#(.+)$/.exec(link) ?? [];
		expect(headings(read(file)).map(({ title }) => anchor(title))).toContain(heading);
	}
});

// So n8n, which makes the key of a value that an agent fills in of the letters of a label, has one for each.
testOfRelease('The Chinese label of a field ends with its exact English label in brackets', () => {
	const odd = labels.flatMap(({ owner, label }) => {
		const chinese = CHINESE[`${owner}|${label}`] ?? CHINESE[label];
		return chinese === label || chinese?.endsWith(`(${label})`) === true ? [] : [chinese ?? label];
	});
	expect(labels.length).toBeGreaterThan(100);
	expect(odd).toEqual([]);
});

// n8n asks that the first line of a message says what happened, without these words.
test('No text that the code builds has a word that n8n does not want', () => {
	const AVOIDED = /\b(?:errors?|problems?|failures?|fail(?:s|ed|ing)?|mistakes?)\b/i;
	// A setting of n8n that hints have to name.
	const isOdd = (text: string) => AVOIDED.test(text.replace('On Error to Continue', ''));
	expect([...translated].filter((text) => isOdd(text) && !shown.has(text))).toEqual([]);
});

test('Every translation is Chinese, but for what the console calls so in any language', () => {
	const words = Object.values(CHINESE).map((text) => text.replace(/\{\w+\}|HTTP/g, ''));
	const foreign = words.filter((text) => /[A-Za-z]/.test(text) && !/\p{Script=Han}/u.test(text));
	expect(foreign.sort()).toEqual([
		...['Account SID', 'Auth Token', 'Events', 'JSON', 'Rest URL (Base URL)'],
		...['Software Version', 'XML', 'Yuntongxun', 'Yuntongxun Trigger'],
	]);
	// By this label n8n finds the triggers of a package: 1.123.0 and 2.41.1 compare it whole.
	expect(CHINESE.Events).toBe('Events');
});

test('A link opens a tab of its own, and leaves the form as it is', () => {
	const links = Object.entries(CHINESE)
		.flat()
		.flatMap((text) => text.match(/<a [^>]*>/g) ?? []);
	expect(links.length).toBeGreaterThan(5);
	for (const link of links) expect(link).toMatch(/^<a href="https:[^"]+" target="_blank">$/);
});

test('Every row has a text, and the blanks of its text', () => {
	const unused = Object.keys(CHINESE).filter((key) => {
		const [, name = '', named = ''] = /^(\w+)\|([^]*)$/.exec(key) ?? [];
		const isUsed = [shown, literals, translated].some((texts) => texts.has(key));
		return !isUsed && !packaged.includes(key) && !shown.get(named)?.has(name);
	});
	expect(unused).toEqual([]);
	const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
	for (const [key, text] of Object.entries(CHINESE)) {
		expect({ key, blanks: blanks(text) }).toEqual({ key, blanks: blanks(key) });
	}
});

test('The sources hold no Chinese', () => {
	expect(SOURCES.filter((file) => /\p{Script=Han}/u.test(read(file)))).toEqual([]);
});

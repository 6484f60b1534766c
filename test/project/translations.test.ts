import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

import { describeStatusCode } from '../../nodes/Yuntongxun/client/statusCodes';
import { isChineseDue } from '../support/chinese';
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

/** What stays English, by how its `file: text` begins: nobody reads it in a form or in an output. */
const LEFT_IN_ENGLISH = [
	// The name of the credential and the value of a field, which workflows store.
	'credentials/YuntongxunApi.credentials.ts: Yuntongxun API',
	'nodes/Yuntongxun/resources/account/get.ts: Not Activated',
	// Parts of sentences that are held as a whole, under their codes.
	'nodes/Yuntongxun/client/statusCodes.ts: ',
	// Parts of keys, hashes, answers to requests, and lines of n8n's log.
	'nodes/Yuntongxun/callbacks/refusalLog.ts: ',
	'nodes/Yuntongxun/callbacks/webhookExchange.ts: ',
	'nodes/Yuntongxun/client/credential.ts: n8n-nodes-yuntongxun ${}',
	'nodes/Yuntongxun/idempotency/reservations.ts: ',
	'nodes/Yuntongxun/executor/outputs.ts: Execution stopped by a user',
	'nodes/Yuntongxun/executor/outputs.ts:  The first item',
	'nodes/Yuntongxun/waiting/knock.ts: ',
	'nodes/Yuntongxun/waiting/mailbox.ts: ',
	'nodes/Yuntongxun/waiting/ownN8n.ts: ',
	// What nobody waits for any more.
	'nodes/Yuntongxun/client/signing.ts: ',
	// As n8n itself marks an item, and calls a workflow.
	'nodes/Yuntongxun/util/n8nInternals.ts: Execute node',
	'nodes/Yuntongxun/executor/errors.ts: ${} [item ${}]',
];

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
const literals = new Set<string>();
/** Those that the code translates by themselves. */
const translated = new Set<string>();
/** Texts of several words in the code, by `file: text`; values filled in by the code are `${}`. */
const prose = new Map<string, string>();

/** Calls whose texts reach a log, or a developer who defines a form. */
const UNSEEN = /\.(?:warn|info)$|^(?:Error|logRefusal|reject)$/;

/** The text of a literal, or of a template, whose values are left out. */
function readText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	const rest = node.templateSpans.map(({ literal }) => literal.text);
	return [node.head.text, ...rest].join('${}');
}

for (const file of SOURCES) {
	const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
	const visit = (node: ts.Node, isSeen: boolean): void => {
		const text = readText(node);
		if (text !== undefined && !text.includes('${}')) literals.add(text);
		const isProse = text && /(?:[A-Za-z]{2,}|\}) (?:[A-Za-z]{2,}|\$)/.test(text);
		if (isSeen && isProse) prose.set(`${file}: ${text}`, text);
		const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
		const called = isCall ? node.expression.getText(source) : '';
		const [first] = (isCall && node.arguments) || [];
		const isTranslated = called.startsWith('translate') && first && ts.isStringLiteralLike(first);
		if (isTranslated) translated.add(first.text);
		node.forEachChild((child) => visit(child, isSeen && !UNSEEN.test(called)));
	};
	visit(source, true);
}

// The words of the status codes: their sentences share parts in the source, and have a row as a whole.
for (let code = 100_000; code < 200_000; code++) {
	const meaning = describeStatusCode(String(code));
	if (meaning === undefined) continue;
	const sentences = `${meaning.summary}. ${meaning.remedy}`;
	literals.add(sentences);
	prose.set(`code ${code}: ${sentences}`, sentences);
}

/** Whether a text of the code is part of a description, with values filled in. */
function isShown(text: string): boolean {
	const parts = text.split('${}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	const shape = new RegExp(`^${parts.join('[^]+')}$`);
	return [...shown.keys()].some((each) => shape.test(each));
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

/** Where a text may be missing until somebody translates it. */
const testOfRelease = isChineseDue ? test : test.skip;

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

testOfRelease('Every text that the code builds at run time has a row', () => {
	const missing = [...prose].filter(([, text]) => !hasRow(text) && !isShown(text));
	const entries = missing.map(([entry]) => entry);
	const isLeft = (entry: string) => LEFT_IN_ENGLISH.some((each) => entry.startsWith(each));
	expect(entries.filter((entry) => !isLeft(entry))).toEqual([]);
	const isStale = (each: string) => !entries.some((entry) => entry.startsWith(each));
	expect(LEFT_IN_ENGLISH.filter(isStale)).toEqual([]);
});

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
	expect([...prose.values()].filter((text) => isOdd(text) && !isShown(text))).toEqual([]);
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
		const isUsed = shown.has(key) || literals.has(key) || packaged.includes(key);
		return !isUsed && !shown.get(named)?.has(name);
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

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

import { describeStatusCode } from '../../nodes/Yuntongxun/client/statusCodes';
import { isChineseDue } from '../support/chinese';
import { action, credential, trigger } from '../../tools/documents/forms';
import { anchor, headings, PROJECT, read } from '../../tools/documents/markdown';

const CHINESE = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** Members of a description that workflows or n8n hold, which nobody reads. */
const STORED = new Set([
	'builderHint',
	'credentials',
	'default',
	'defaults',
	'displayOptions',
	'group',
	'icon',
	'inputs',
	'mode',
	'outputs',
	'regex',
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

for (const described of [action, trigger, credential.properties]) collect(described, '');

/** The sources, whose refusals, pickers, hints and test of the credential build texts at run time. */
const SOURCES = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => join(PROJECT, folder, file)),
);
const written = SOURCES.map((file) => readFileSync(file, 'utf8'));
const literals = new Set<string>();
/** Those that the code translates by themselves. */
const translated = new Set<string>();
/** Texts of several words in the code, as `file: text`; values filled in by the code are `${}`. */
const prose = new Set<string>();

/** Calls whose texts reach a log, or a developer who defines a form. */
const UNSEEN = /\.(?:warn|info)$|^(?:Error|logRefusal|reject)$/;

/** The text of a literal, or of a template, whose values are left out. */
function readText(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
		.map(({ text }) => text)
		.join('${}');
}

for (const [index, file] of SOURCES.entries()) {
	const source = ts.createSourceFile(file, written[index], ts.ScriptTarget.Latest);
	const visit = (node: ts.Node, isSeen: boolean): void => {
		const text = readText(node);
		if (text !== undefined && !text.includes('${}')) literals.add(text);
		if (isSeen && text !== undefined && /(?:[A-Za-z]{2,}|\}) (?:[A-Za-z]{2,}|\$)/.test(text)) {
			prose.add(`${relative(join(PROJECT, 'nodes/Yuntongxun'), file)}: ${text}`);
		}
		const isCall = ts.isCallExpression(node) || ts.isNewExpression(node);
		const called = isCall ? node.expression.getText(source) : '';
		const [first] = (isCall && node.arguments) || [];
		if (/^translate/.test(called) && first && ts.isStringLiteralLike(first)) {
			translated.add(first.text);
		}
		node.forEachChild((child) => visit(child, isSeen && !UNSEEN.test(called)));
	};
	visit(source, true);
}

/** Whether a text of the code is part of a description, with values filled in. */
function isShown(text: string): boolean {
	const parts = text.split('${}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
	const shape = new RegExp(`^${parts.join('[^]+')}$`);
	return [...shown.keys()].some((each) => shape.test(each));
}

/** What stays English, by how its `file: text` begins: nobody reads it in a form or in an output. */
const LEFT_IN_ENGLISH = [
	// The name of the credential and the value of a field, which workflows store.
	'../../credentials/YuntongxunApi.credentials.ts: Yuntongxun API',
	'resources/account/get.ts: Not Activated',
	// For the AI that builds workflows, in n8n's own words.
	// Parts of what is held under its codes.
	'client/statusCodes.ts: ',
	// Parts of a line of n8n's log.
	'callbacks/refusalLog.ts: ',
	// Parts of keys, hashes and answers to requests.
	'callbacks/webhookExchange.ts: ',
	'client/credential.ts: n8n-nodes-yuntongxun ${}',
	'idempotency/reservations.ts: ',
	'resources/verificationCode/token.ts: ',
	// Stops a request that nobody waits for any more.
	'client/signing.ts: ',
	// Where n8n itself shows such words: the mark of an item, and the name of an error without one.
	'executor/errors.ts: ${} [item ${}]',
	// n8n's log.
	'waiting/knock.ts: ',
	'waiting/mailbox.ts: ',
	'waiting/ownN8n.ts: ',
	// Kept for the word of a database that does not answer.
	'idempotency/storedTokenUsage.ts: ',
];

/** The words of the status codes: their sentences share parts in the source, and have a row as a whole. */
const CODES = Array.from({ length: 100_000 }, (_each, at) => String(100_000 + at));
for (const code of CODES) {
	const meaning = describeStatusCode(code);
	if (meaning === undefined) continue;
	const sentences = `${meaning.summary}. ${meaning.remedy}`;
	literals.add(sentences);
	prose.add(`code ${code}: ${sentences}`);
}

/** What the build of a package in another language puts into files that are no code. */
const packaged = [
	(JSON.parse(read('package.json')) as { description: string }).description,
	credential.documentationUrl,
	...['Yuntongxun', 'YuntongxunTrigger'].flatMap((node) =>
		[...read(`nodes/Yuntongxun/${node}.node.json`).matchAll(/https:[^"]+/g)].map(String),
	),
];

const isTranslated = (text: string, owners: ReadonlySet<string>) =>
	Object.hasOwn(CHINESE, text) ||
	[...owners].every((owner) => Object.hasOwn(CHINESE, `${owner}|${text}`));

/** Where a text may be missing until somebody translates it. */
const testOfRelease = isChineseDue ? test : test.skip;

testOfRelease('Every text of the forms has a row in translations/zh-CN.json', () => {
	expect(shown.size).toBeGreaterThan(200);
	const missing = [...shown].filter(([text, owners]) => !isTranslated(text, owners));
	expect(missing.map(([text]) => text)).toEqual([]);
	expect(translated.size).toBeGreaterThan(0);
	expect([...translated].filter((text) => !Object.hasOwn(CHINESE, text))).toEqual([]);
});

testOfRelease(
	'Every text that the code builds at run time has a row in translations/zh-CN.json',
	() => {
		const missing = [...prose].filter((entry) => {
			const text = entry.slice(entry.indexOf(': ') + 2);
			return !Object.hasOwn(CHINESE, text) && !isShown(text);
		});
		const isLeft = (entry: string) => LEFT_IN_ENGLISH.some((each) => entry.startsWith(each));
		expect(missing.filter((entry) => !isLeft(entry))).toEqual([]);
		const isStale = (each: string) => !missing.some((entry) => entry.startsWith(each));
		expect(LEFT_IN_ENGLISH.filter(isStale)).toEqual([]);
	},
);

// n8n asks that the first line of a message says what happened, without these words.
test('No text that the code builds has a word that n8n does not want', () => {
	const AVOIDED = /\b(?:errors?|problems?|failures?|fail(?:s|ed|ing)?|mistakes?)\b/i;
	const offending = [...prose].filter((entry) => {
		const text = entry.slice(entry.indexOf(': ') + 2);
		// A setting of n8n that hints have to name.
		return AVOIDED.test(text.replace('On Error to Continue', '')) && !isShown(text);
	});
	expect(offending).toEqual([]);
});

testOfRelease(
	'Description and help links of the package have a row, and lead to headings that there are',
	() => {
		expect(packaged.filter((text) => !Object.hasOwn(CHINESE, text))).toEqual([]);
		for (const link of packaged.slice(1).map((text) => CHINESE[text])) {
			const [, file = '', heading = ''] = /\/blob\/HEAD\/([^#]+)#(.+)$/.exec(link) ?? [];
			expect(headings(read(file)).map(({ title }) => anchor(title))).toContain(heading);
		}
	},
);

test('Every translation is Chinese, but for what the console calls so in any language', () => {
	const LATIN = [
		...['Account SID', 'Auth Token', 'Rest URL (Base URL)', 'Software Version', 'JSON', 'XML'],
		...['Yuntongxun', 'Yuntongxun Trigger', 'Events'],
	];
	const words = Object.values(CHINESE).map((text) => text.replace(/\{\w+\}|HTTP/g, ''));
	const foreign = words.filter((text) => /[A-Za-z]/.test(text) && !/\p{Script=Han}/u.test(text));
	expect(foreign.sort()).toEqual(LATIN.sort());
});

/** The labels of all fields of a description, but for the two ways to choose from a list. */
function findLabels(value: unknown, owner = ''): Array<{ owner: string; label: string }> {
	if (Array.isArray(value)) return value.flatMap((each) => findLabels(each, owner));
	if (typeof value !== 'object' || value === null) return [];
	const { name, type, displayName } = value as Record<string, unknown>;
	const isField = typeof name === 'string' && typeof type === 'string' && type !== 'notice';
	const label = isField && typeof displayName === 'string' ? displayName : undefined;
	const own = isField ? String(name) : owner;
	return [
		...(label === undefined ? [] : [{ owner: own, label }]),
		...Object.entries(value).flatMap(([key, each]) =>
			key === 'modes' ? [] : findLabels(each, own),
		),
	];
}

test('A link of a form opens a tab of its own, and leaves the form as it is', () => {
	const links = Object.entries(CHINESE)
		.flat()
		.flatMap((text) => text.match(/<a [^>]*>/g) ?? []);
	expect(links.length).toBeGreaterThan(5);
	expect(links.filter((link) => !/^<a href="https:[^"]+" target="_blank">$/.test(link))).toEqual(
		[],
	);
});

// So n8n, which makes the key of a value that an agent fills in of the letters of a label, has one for each.
testOfRelease('The Chinese label of a field ends with its exact English label in brackets', () => {
	const labels = [action, trigger, credential.properties].flatMap((each) => findLabels(each));
	const odd = labels.flatMap(({ owner, label }) => {
		const chinese = CHINESE[`${owner}|${label}`] ?? CHINESE[label];
		return chinese === label || chinese?.endsWith(`(${label})`) === true ? [] : [chinese ?? label];
	});
	expect(labels.length).toBeGreaterThan(100);
	expect(odd).toEqual([]);
});

/** What a Chinese text may say in English: what stands so on the screen, or in a workflow. */
const SHOWN_IN_ENGLISH = new Set(
	`n8n Yuntongxun Trigger Events Cloopen API AI Agent Account SID Auth Token App ID Base URL Rest Production Test Execute
	Executions Loop Over Items Edit Fields Split Out On Error Continue Tool Description Set Manually workflow
	JSON XML UTF UTC IP HTTP SDK wav webhook MySQL MariaDB PostgreSQL
	ACCOUNT TOKEN AUTH APP Triggers true false undefined object Object created messages`.split(/\s+/),
);

test('A Chinese text has no English but names, values, and labels in brackets', () => {
	const english = Object.values(CHINESE).flatMap((text) => {
		const prose = text
			.replace(/<[^>]*>|https?:\/\/\S*|例如 [^。]*|\{\{.*?\}\}|\{\w+\}/g, ' ')
			// A label in brackets, which may have brackets of its own, and stored names in brackets.
			.replace(/\((?:[^()]|\([^()]*\))*\)|（[^（）\p{Script=Han}]*）/gu, ' ');
		const words = prose.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? [];
		const isName = (word: string) =>
			SHOWN_IN_ENGLISH.has(word) || /[a-z][A-Z]|_/.test(word) || word.length === 1;
		const odd = words.filter((word) => !isName(word));
		return odd.length === 0 || !/\p{Script=Han}/u.test(text) ? [] : [`${odd.join(' ')}: ${text}`];
	});
	expect(english).toEqual([]);
});

test('Every row of translations/zh-CN.json has a text', () => {
	const unused = Object.keys(CHINESE).filter((key) => {
		const [, name, named = ''] = /^(?:(\w+)\|)?([^]*)$/.exec(key) ?? [];
		const isNamed = name !== undefined && shown.get(named)?.has(name) === true;
		return !isNamed && !shown.has(key) && !literals.has(key) && !packaged.includes(key);
	});
	expect(unused).toEqual([]);
});

test('A translation has the blanks of its text', () => {
	const blanks = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
	for (const [key, text] of Object.entries(CHINESE)) {
		expect({ key, blanks: blanks(text) }).toEqual({ key, blanks: blanks(key) });
	}
});

test('The label of the events stays one by which n8n finds the triggers of a package', () => {
	// The panel compares the whole label, in n8n 1.123.0 and 2.41.1.
	expect(CHINESE.Events).toMatch(/^(?:events?|trigger on)$/i);
});

test('The sources hold no Chinese', () => {
	expect(SOURCES.filter((_, index) => /\p{Script=Han}/u.test(written[index]))).toEqual([]);
});

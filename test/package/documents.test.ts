import { dirname, join } from 'node:path';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { describeStatusCode } from '../../nodes/Yuntongxun/client/statusCodes';
import packageJson from '../../package.json';
import {
	anchor,
	blocks,
	codeWords,
	countRows,
	documents,
	examples,
	headings,
	linkedFiles,
	pictures,
	read,
} from '../../tools/documents/markdown';
import { releaseNotes } from '../../tools/release/releaseNotes';
import { isChineseDue } from '../support/chinese';

const README = packageJson.homepage.replace('#readme', '#');

/** Where n8n's editor sends a user who asks for help: the codex of both nodes, and the credential. */
const helpLinks = () => [
	...['Yuntongxun', 'YuntongxunTrigger'].flatMap((node) => {
		const codex = JSON.parse(read(`nodes/Yuntongxun/${node}.node.json`)) as {
			resources: Record<string, Array<{ url: string }>>;
		};
		return Object.values(codex.resources).flat();
	}),
	{ url: new YuntongxunApi().documentationUrl },
];

// Links between the documents are checked by `remark`, in `npm run check`.
describe('The documents', () => {
	test("have the headings that n8n's help links lead to", () => {
		const anchors = headings(read('README.md')).map(({ title }) => anchor(title));
		const links = helpLinks();
		expect(links).toHaveLength(5);
		for (const { url } of links) {
			expect(url.slice(0, README.length)).toBe(README);
			expect(anchors).toContain(url.slice(README.length));
		}
	});

	test.each(documents())('%s names only commands that exist', (file) => {
		const named = [...read(file).matchAll(/\bnpm run ([\w:]+)/g)].map(([, script]) => script);
		expect(Object.keys(packageJson.scripts)).toEqual(expect.arrayContaining(named));
	});

	test('have a section of the changelog for the version of the package', () => {
		const { version } = packageJson;
		// It gets its date with the release, whose notes are refused without one.
		const dated = read('CHANGELOG.md').replace('(not released yet)', '(2026-01-01)');
		expect(releaseNotes(`v${version}`, version, dated)).toMatch(/^- /m);
	});

	test.each(documents())('%s has no conflict marks of a merge', (file) => {
		expect(read(file)).not.toMatch(/^(?:<{7}|={7}|>{7})(?: |$)/m);
	});

	test.each(documents())('%s has JSON that can be read', (file) => {
		for (const { language, code } of blocks(read(file))) {
			if (language === 'json') expect(() => JSON.parse(code) as unknown).not.toThrow();
		}
	});
});

const CHINESE = 'docs/zh-CN/';

/** Where the English twin of a Chinese document is, if not at the same place in `docs/`. */
const ELSEWHERE: Record<string, string> = {
	'README.md': 'README.md',
	'examples.md': 'examples/README.md',
};

/** Every document that has a twin in Chinese. */
const TWINS = documents()
	.filter((file) => file.startsWith(CHINESE))
	.map((chinese) => {
		const name = chinese.slice(CHINESE.length);
		return [ELSEWHERE[name] ?? `docs/${name}`, chinese];
	});

/** The files that a document links to, from the project's folder; addresses as they are. */
const findLinks = (file: string) =>
	linkedFiles(read(file)).map((to) => (to.includes('://') ? to : join(dirname(file), to)));

/** What users read about n8n's public address: their documents, and the notes of the examples. */
const ON_ADDRESSES = [...documents(), ...examples()].filter(
	(file) => !/^test|^docs\/maintainers/.test(file),
);

test.each(ON_ADDRESSES)('%s names the variable of a public address as n8n does today', (file) => {
	const names = read(file).match(/(?:N8N_)?WEBHOOK_URL/g) ?? [];
	// Each old name stands behind a new one, as the name for older versions.
	names.forEach((name, at) => {
		if (name === 'WEBHOOK_URL') expect(names[at - 1]).toBe('N8N_WEBHOOK_URL');
	});
});

/** The entries of the trigger that n8n's node search lists below "Triggers". */
const STARTS = [/\*\*On voice notification call ended\*\*/, /\*\*On SMS delivery report\*\*/];

test.each([
	['README.md', 0],
	['docs/call-results.md', 0],
	['docs/call-results.md', 1],
	['docs/troubleshooting.md', 0],
] as const)('%s says how to find the trigger, in both languages', (file, start) => {
	const chinese = TWINS.find(([english]) => english === file)?.[1] ?? '';
	for (const text of [file, chinese].map(read)) {
		expect(text).toMatch(STARTS[start]);
		expect(text).toMatch(/\*\*Yuntongxun\*\*.{1,20}\*\*Triggers\*\*/);
	}
});

test('The failure that troubleshooting shows is one of the node', () => {
	for (const file of ['docs/troubleshooting.md', 'docs/zh-CN/troubleshooting.md']) {
		const [{ code }] = blocks(read(file)).filter(({ language }) => language === 'json');
		const { error } = JSON.parse(code) as { error: { message: string; statusCode: string } };
		expect(error.message).toContain(String(describeStatusCode(error.statusCode, 'sms')?.summary));
	}
});

test('Every picture is shown by a document', () => {
	const shown = documents().flatMap(findLinks);
	expect(pictures().length).toBeGreaterThan(5);
	expect(pictures().filter((file) => !shown.includes(file))).toEqual([]);
});

test('Every document for users is there in both languages', () => {
	const wanted = documents().filter((file) => /^docs\/[\w-]+\.md$/.test(file));
	const twins = TWINS.map(([english]) => english);
	expect(twins.sort()).toEqual([...wanted, ...Object.values(ELSEWHERE)].sort());
});

(isChineseDue ? describe : describe.skip).each(TWINS)('%s and %s say the same', (...files) => {
	/** A document of a pair by its English name, so that links of both can be compared. */
	const inEnglish = (to: string) =>
		(TWINS.find(([, chinese]) => chinese === to)?.[0] ?? to).replace('.zh-CN', '');
	/** Nodes of the examples have names in both languages. */
	const namesNode = (word: string) => word.includes("$('");
	const [english, chinese] = files.map(read);

	test.each<[string, (text: string) => unknown]>([
		['chapters', (text) => headings(text).map(({ depth }) => depth)],
		[
			'fields, codes, values and settings',
			(text) => codeWords(text).filter((word) => !namesNode(word)),
		],
		['numbers of rows in their tables', countRows],
		['examples and commands', blocks],
	])('have the same %s', (_what, part) => {
		expect(part(chinese)).toEqual(part(english));
	});

	test('link to the same files', () => {
		const [theirs, mine] = files.map((file) =>
			// Each links to the other, at its first line.
			[...new Set(findLinks(file).map(inEnglish))].filter((to) => to !== files[0]).sort(),
		);
		expect(theirs.length).toBeGreaterThan(0);
		expect(mine).toEqual(theirs);
	});

	test('lead to documents in their own language, where there is one', () => {
		const wrong = findLinks(files[1]).filter(
			(to) => TWINS.some(([twin]) => twin === to) && to !== files[0],
		);
		expect(wrong).toEqual([]);
	});
});

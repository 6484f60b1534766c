import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import packageJson from '../../package.json';
import {
	anchor,
	blocks,
	codeWords,
	documents,
	headings,
	linkedFiles,
	read,
	tables,
} from './support/markdown';
import { releaseNotes } from './support/releaseNotes';

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

// Links between the documents are checked by `remark`, in `npm run lint`.
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

	test('tell in the changelog what the version of the package brings', () => {
		const { version } = packageJson;
		expect(releaseNotes(`v${version}`, version, read('CHANGELOG.md'))).toMatch(/^- /);
	});

	test.each(documents())('%s has JSON that can be read', (file) => {
		for (const { language, code } of blocks(read(file))) {
			if (language === 'json') expect(() => JSON.parse(code) as unknown).not.toThrow();
		}
	});
});

describe('The README in Chinese says what the one in English says', () => {
	const english = read('README.md');
	const chinese = read('README.zh-CN.md');
	const depths = (text: string) => headings(text).map(({ depth }) => depth);
	const copied = (text: string) => blocks(text).filter(({ language }) => language !== 'mermaid');
	/** What a diagram draws, without its words. */
	const drawn = (text: string) =>
		blocks(text)
			.filter(({ language }) => language === 'mermaid')
			.map(({ code }) => code.match(/^ *\w+|--?>>?|--/gm));

	test('under as many headings', () => {
		expect(depths(english).length).toBeGreaterThan(10);
		expect(depths(chinese)).toEqual(depths(english));
	});

	test('with the same names of fields, codes, values and settings', () => {
		expect(codeWords(english).length).toBeGreaterThan(80);
		expect(codeWords(chinese)).toEqual(codeWords(english));
	});

	test('in tables of the same size', () => {
		expect(tables(english).length).toBeGreaterThan(8);
		expect(tables(chinese)).toEqual(tables(english));
	});

	test('with the same examples, commands and diagrams', () => {
		expect(copied(chinese)).toEqual(copied(english));
		expect(drawn(chinese)).toEqual(drawn(english));
	});

	test('with links to the same files', () => {
		const besides = (text: string) => linkedFiles(text).filter((to) => !/^README/.test(to));
		expect(besides(english).length).toBeGreaterThan(4);
		expect(besides(chinese)).toEqual(besides(english));
	});
});

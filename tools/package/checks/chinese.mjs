import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const load = createRequire(import.meta.url);
const isChinese = (text) => /\p{Script=Han}/u.test(text);

/** What a user of the package in Chinese meets beside the forms: npm's page, help links, the canvas. */
export function chinese({ unpacked }) {
	const read = (file) => readFileSync(join(unpacked, file), 'utf8');
	const { description, homepage } = JSON.parse(read('package.json'));
	const { YuntongxunApi, Yuntongxun, YuntongxunTrigger } = load(join(unpacked, 'dist/index.js'));
	const helpLinks = [
		homepage,
		new YuntongxunApi().documentationUrl,
		...['Yuntongxun', 'YuntongxunTrigger'].flatMap((node) =>
			[...read(`dist/nodes/Yuntongxun/${node}.node.json`).matchAll(/https:[^"]+/g)].map(String),
		),
	];
	const subtitles = [Yuntongxun, YuntongxunTrigger].map((Node) => new Node().description.subtitle);
	const linked = [...read('README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
	return [
		...(isChinese(description) ? [] : ['the description in package.json is not in Chinese']),
		...helpLinks
			.filter((link) => !link.includes('/docs/zh-CN/'))
			.map((link) => `${link} leads to a page in English`),
		...subtitles.filter((text) => !isChinese(text)).map((text) => `not in Chinese: ${text}`),
		...linked
			.filter((to) => !/^(?:https:|#)/.test(to))
			.map((to) => `README.md links to ${to}, which is not in the package`),
	];
}

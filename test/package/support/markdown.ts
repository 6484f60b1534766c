import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(__dirname, '../../..');

/** A file of the project as text. */
export const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

/** Every document that git knows, as paths from the project's folder. */
export const documents = (): string[] =>
	execFileSync('git', ['ls-files', '*.md'], { cwd: PROJECT, encoding: 'utf8' }).trim().split('\n');

/** The text outside fenced blocks, in which `#` and `|` are Markdown. */
export const prose = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, '');

/** The fenced blocks, each with the language that it names. */
export const blocks = (text: string): Array<{ language: string; code: string }> =>
	[...text.matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, language, code]) => ({
		language,
		code,
	}));

/** The headings, in order. */
export const headings = (text: string): Array<{ depth: number; title: string }> =>
	[...prose(text).matchAll(/^(#{1,6}) (.+)$/gm)].map(([, marks, title]) => ({
		depth: marks.length,
		title,
	}));

/** The anchor that GitHub gives a heading. */
export const anchor = (title: string): string =>
	title
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

/** What stands in inline code, each once, sorted. */
export const codeWords = (text: string): string[] =>
	[...new Set([...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word))].sort();

/** Of each table the rows below its heading and its columns. */
export const tables = (text: string): Array<{ rows: number; columns: number }> =>
	[...prose(text).matchAll(/^\|.*\|\n(\|[-| :]+\|)\n((?:\|.*\|\n?)*)/gm)].map(([, rule, body]) => ({
		rows: body.trim().split('\n').length,
		columns: rule.split('|').length - 2,
	}));

/** The files and addresses that links and images lead to, each once, sorted; no headings. */
export const linkedFiles = (text: string): string[] =>
	[...new Set([...prose(text).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, to]) => to))].sort();

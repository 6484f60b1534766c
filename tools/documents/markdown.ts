import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(__dirname, '../..');

/** A file of the project as text. */
export const read = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

/** The text outside fenced blocks, where `#` and `|` are Markdown. */
const prose = (text: string): string => text.replace(/^ *```.*?^ *```$/gms, '');

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

/** The contents of inline code, each once, sorted. */
export const codeWords = (text: string): string[] =>
	[...new Set([...prose(text).matchAll(/`([^`\n]+)`/g)].map(([, word]) => word))].sort();

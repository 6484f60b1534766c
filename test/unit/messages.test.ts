import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

// n8n asks that the first line of a message says what happened, without these words.
const AVOIDED = /\b(?:errors?|problems?|failures?|fail(?:s|ed|ing)?|mistakes?)\b/i;

const ROOT = join(__dirname, '../..');
const files = ['nodes', 'credentials'].flatMap((folder) =>
	readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => join(folder, name)),
);

/** Members whose text describes a form or a table, not what happened. */
const NO_MESSAGE = new Set(['description', 'displayName', 'name', 'action', 'reply']);

/** Every text of several words in a source file that can be part of a message. */
function messagesIn(file: string): string[] {
	const source = readFileSync(join(ROOT, file), 'utf8');
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isPropertyAssignment(node) && NO_MESSAGE.has(node.name.getText())) return;
		if (ts.isStringLiteralLike(node)) found.push(node.text);
		if (ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) found.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
	return found.filter((text) => /\w \w/.test(text));
}

/** Hints have to name this setting of n8n. */
const withoutLabels = (text: string) => text.replace('On Error to Continue', '');

describe('messages', () => {
	it.each(files)(
		'messages in %s avoid the words that n8n does not want in a first line',
		(file) => {
			const offending = messagesIn(file).filter((text) => AVOIDED.test(withoutLabels(text)));
			expect(offending).toEqual([]);
		},
	);

	it('are found by this test', () => {
		const found = files.flatMap(messagesIn);
		expect(found).toEqual(
			expect.arrayContaining([
				'has more than one number',
				'The service did not answer in time',
				'Choose a resource and one of its operations',
				'{label} is empty in the Yuntongxun API credential',
			]),
		);
	});
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { action, credential, trigger } from '../../tools/documents/forms';
import { anchor, headings, PROJECT, read } from '../../tools/documents/markdown';

// What workflows of others rely on, beside fields and outputs: those are in formTable.test.ts.

test('The package has both nodes and the credential under their names', () => {
	expect(action).toMatchObject({
		name: 'yuntongxun',
		displayName: 'Yuntongxun',
		version: 1,
		usableAsTool: true,
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'yuntongxunApi', required: true }],
		webhooks: [{ name: 'default', restartWebhook: true, path: 'yuntongxun-result' }],
	});
	expect(trigger).toMatchObject({
		name: 'yuntongxunTrigger',
		displayName: 'Yuntongxun Trigger',
		version: 1,
		group: ['trigger'],
		inputs: [],
		outputs: ['main'],
		credentials: [{ name: 'yuntongxunApi', required: false }],
		webhooks: [{ name: 'default', httpMethod: 'POST', path: 'yuntongxun' }],
	});
	expect(trigger.usableAsTool).toBeUndefined();
	expect(credential).toMatchObject({ name: 'yuntongxunApi', displayName: 'Yuntongxun API' });
	const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
	expect(masked.map(({ name }) => name)).toEqual(['authToken']);
});

test('A template is chosen from a list or by ID', () => {
	const searchListMethod = 'searchTemplates';
	expect(new Yuntongxun().methods.listSearch).toHaveProperty(searchListMethod);
	const found = action.properties.filter(({ name }) => name === 'templateId');
	expect(found.length).toBeGreaterThan(0);
	for (const { modes } of found) {
		expect(modes).toMatchObject([
			{ name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
			{ name: 'id', type: 'string' },
		]);
	}
});

test("n8n's editor leads to headings of the README", () => {
	const codexes = ['Yuntongxun', 'YuntongxunTrigger'].map((node) =>
		read(`nodes/Yuntongxun/${node}.node.json`),
	);
	const links = [...codexes.join().matchAll(/https:[^"]+#([\w-]+)"/g)].map(([, to]) => to);
	const anchors = headings(read('README.md')).map(({ title }) => anchor(title));
	expect(links).toHaveLength(4);
	expect(links.filter((to) => !anchors.includes(to))).toEqual([]);
});

test('The rules are numbered, and name tests that are there', () => {
	const page = read('docs/maintainers/contract.md');
	const rules = [...page.matchAll(/^(\d+)\. .*\(([^()]*)\)$/gm)];
	expect(rules.length).toBeGreaterThan(50);
	expect(rules.map(([, number]) => Number(number))).toEqual(rules.map((_rule, at) => at + 1));
	expect(page.match(/^\d+\. /gm)).toHaveLength(rules.length);
	const paths = rules.flatMap(([, , tests]) => [...tests.matchAll(/`([^`]+)`/g)]);
	const missing = paths.filter(([, path]) => !existsSync(join(PROJECT, `test/${path}.test.ts`)));
	expect(missing.map(([, path]) => path)).toEqual([]);
});

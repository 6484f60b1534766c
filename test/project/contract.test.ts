import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { action, credential, trigger } from '../../tools/documents/forms';
import { anchor, headings, PROJECT, read } from '../../tools/documents/markdown';

// What workflows of others rely on, beside fields and outputs: those are in formTable.test.ts.

const PAGE = read('docs/maintainers/contract.md');

const getNames = (properties: INodeProperties[]) => properties.map(({ name }) => name);

describe('The package', () => {
	test('has both nodes and the credential under their names', () => {
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
	});

	test.each([['templateId', 'searchTemplates']])(
		'lets %s be chosen from a list or by ID',
		(name, searchListMethod) => {
			const found = action.properties.filter((property) => property.name === name);
			expect(found.length).toBeGreaterThan(0);
			expect(new Yuntongxun().methods.listSearch).toHaveProperty(searchListMethod);
			for (const { modes } of found) {
				expect(modes).toMatchObject([
					{ name: 'list', type: 'list', typeOptions: { searchListMethod, searchable: true } },
					{ name: 'id', type: 'string' },
				]);
			}
		},
	);

	test("leads from n8n's editor to headings of the README", () => {
		const codexes = ['Yuntongxun', 'YuntongxunTrigger'].map((node) =>
			read(`nodes/Yuntongxun/${node}.node.json`),
		);
		const links = [...codexes.join().matchAll(/https:[^"]+#([\w-]+)"/g)].map(([, to]) => to);
		const anchors = headings(read('README.md')).map(({ title }) => anchor(title));
		expect(links).toHaveLength(4);
		expect(links.filter((to) => !anchors.includes(to))).toEqual([]);
	});

	test('hides the token', () => {
		const masked = credential.properties.filter(({ typeOptions }) => typeOptions?.password);
		expect(getNames(masked)).toEqual(['authToken']);
	});
});

describe('The rules', () => {
	const rules = [...PAGE.matchAll(/^(\d+)\. .*\(([^()]*)\)$/gm)].map(([, number, tests]) => ({
		number: Number(number),
		tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
	}));

	test('are numbered, and each ends with its tests', () => {
		expect(rules.length).toBeGreaterThan(50);
		expect(rules.map(({ number }) => number)).toEqual(rules.map((_rule, at) => at + 1));
		expect(PAGE.match(/^\d+\. /gm)).toHaveLength(rules.length);
	});

	test('name tests that are there', () => {
		const paths = rules.flatMap(({ tests }) => tests).map((path) => `test/${path}.test.ts`);
		expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
	});
});

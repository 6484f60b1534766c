import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';

const FOLDER = join(__dirname, '../../examples');
const PREFIX = 'n8n-nodes-yuntongxun.';
const ACTION = new Yuntongxun().description;
const FORMS = new Map([
	[`${PREFIX}yuntongxun`, ACTION],
	[`${PREFIX}yuntongxunTrigger`, new YuntongxunTrigger().description],
	// n8n makes a tool of the action node.
	[`${PREFIX}yuntongxunTool`, ACTION],
]);

const MADE_UP_NUMBER = '13800000000';

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: INodeParameters & { options?: Record<string, unknown> };
	credentials?: unknown;
	webhookId?: string;
	notes?: string;
}

interface Example {
	nodes: ExampleNode[];
	/** By name of their first node, and by kind. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const examples = files.map((file): [string, Example] => [file, JSON.parse(read(file)) as Example]);
const readme = read('README.md');

const isNote = ({ type }: ExampleNode) => type === 'n8n-nodes-base.stickyNote';
const isTool = ({ type }: ExampleNode) => type.endsWith('Tool');

it('examples have a row in the README each, and share no id, so all can be imported side by side', () => {
	const ids = examples.flatMap(([, { nodes }]) => nodes.map(({ id }) => id));
	expect(files.filter((file) => !readme.includes(`| [${file}](./${file})`))).toEqual([]);
	expect(new Set(ids).size).toBe(ids.length);
});

describe.each(examples)('%s', (_file, { nodes, connections }) => {
	const [tryIt] = nodes.filter(isNote).map(({ parameters }) => String(parameters.content));
	const working = nodes.filter((node) => !isNote(node));
	const ours = nodes.filter(({ type }) => type.startsWith(PREFIX));

	it('has no fixed address: n8n gives each import its own', () => {
		expect(nodes.filter(({ webhookId }) => webhookId !== undefined)).toEqual([]);
		for (const { parameters } of nodes.filter(({ type }) => type.endsWith('.webhook'))) {
			expect(parameters.path).toMatch(/change-me$/);
			expect(tryIt).toMatch(/change the \*\*Path\*\*/);
		}
	});

	it('connects all its nodes, each of a name of its own', () => {
		const names = working.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		const targets = Object.values(connections)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map(({ node }) => node);
		const linked = [...Object.keys(connections), ...targets];
		for (const each of linked) expect(names).toContain(each);
		// A trigger that only takes the results of waiting calls starts nothing.
		const waits = ours.some(({ parameters }) => parameters.resultDelivery === 'wait');
		expect(names.filter((name) => !linked.includes(name))).toEqual(waits ? ['Call Results'] : []);
	});

	it('calls and texts nobody before a number is filled in, and holds no credential', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		const allowed = `"allowedRecipients":"${MADE_UP_NUMBER}"`;
		expect(JSON.stringify(nodes).replaceAll(allowed, '')).not.toMatch(/\b1[3-9]\d{9}\b/);
		for (const { parameters } of ours.filter(isTool)) {
			expect(parameters.options).toMatchObject({ allowedRecipients: MADE_UP_NUMBER });
		}
	});

	it('leaves the template to its user, and shows the text to register below the node', () => {
		for (const { parameters, notes = '' } of ours.filter(
			(each) => each.parameters.resource === 'sms',
		)) {
			const { templateId, datas } = parameters as { templateId: unknown; datas: string[] };
			expect(templateId).toEqual({ __rl: true, mode: 'list', value: '' });
			const placeholders = [...notes.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
			expect(placeholders).toEqual(datas.map((_, at) => at + 1));
			expect(notes).toMatch(/\p{Script=Han}{4}/u);
		}
	});

	it('has Dry Run at hand, switched off, in each node that calls or texts', () => {
		for (const { parameters } of ours) {
			const isSending = ['notify', 'verify', 'send'].includes(String(parameters.operation));
			expect(parameters.options?.dryRun).toBe(isSending ? false : undefined);
		}
	});

	it('sets only fields that the form of its node has and shows', () => {
		for (const node of ours) {
			const { descriptionType, toolDescription, ...parameters } = node.parameters;
			expect([descriptionType, typeof toolDescription]).toEqual(
				isTool(node) ? ['manual', 'string'] : [undefined, 'undefined'],
			);
			const form = FORMS.get(node.type);
			if (!form) throw new Error(`There is no node ${node.type}`);
			const { properties } = form;
			expect(
				NodeHelpers.getNodeParameters(
					properties,
					parameters,
					true,
					false,
					{ typeVersion: 1 },
					form,
				),
			).toMatchObject(parameters);
			const options = properties
				.filter(({ name }) => name === 'options')
				.flatMap(({ options: each = [] }) => each as INodeProperties[])
				.map(({ name }) => name);
			expect(options).toEqual(expect.arrayContaining(Object.keys(parameters.options ?? {})));
		}
	});
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';

const FOLDER = join(__dirname, '../../examples');
const PREFIX = 'n8n-nodes-yuntongxun.';
const OURS = new Map(
	[Yuntongxun, YuntongxunTrigger].map((type) => {
		const { description } = new type();
		return [`${PREFIX}${description.name}`, description];
	}),
);

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: INodeParameters;
	credentials?: unknown;
	webhookId?: string;
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	connections: Record<string, { main: Array<Array<{ node: string }>> }>;
}

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const examples = files.map((file): [string, Example] => [file, JSON.parse(read(file)) as Example]);
const readme = read('README.md');

it('no two examples share an id, so that all can be imported side by side', () => {
	const ids = examples.flatMap(([, { nodes }]) =>
		nodes.flatMap(({ id, webhookId }) => [id, ...(webhookId ? [webhookId] : [])]),
	);
	expect(ids.length).toBeGreaterThan(20);
	expect(new Set(ids).size).toBe(ids.length);
});

describe.each(examples)('%s', (file, { name, nodes, connections }) => {
	const [note, ...others] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const text = String(note?.parameters.content);
	const ours = nodes.filter(({ type }) => type.startsWith(PREFIX));

	it('has a row in the README', () => {
		expect(readme).toContain(`| [${file}](./${file})`);
		expect(name).toMatch(/^[A-Z]/);
	});

	it('has one note, which names the nodes where something is to be filled in', () => {
		expect(others).toEqual([]);
		const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words);
		const named = ours.filter(
			({ parameters, type }) =>
				type === `${PREFIX}yuntongxun` ||
				(parameters.options as { requireSignedUrl?: boolean }).requireSignedUrl,
		);
		for (const node of named) expect(bold).toContain(node.name);
		if (ours.some(({ parameters }) => parameters.resource === 'call')) {
			expect(text).toMatch(/cost money/);
		}
	});

	it('has nodes with names in Title Case, each once', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		const small = /^(?:a|an|and|as|at|by|for|from|in|into|it|of|on|or|the|to)$/;
		const isTitle = (title: string) =>
			title.split(' ').every((word, at) => /^\p{Lu}/u.test(word) || (at > 0 && small.test(word)));
		expect(names.filter((each) => !isTitle(each))).toEqual([]);
	});

	it('connects nodes that are there, and leaves none alone but those that have to be', () => {
		const names = nodes.map((node) => node.name);
		const targets = Object.values(connections).flatMap(({ main }) =>
			main.flat().map(({ node }) => node),
		);
		for (const each of [...Object.keys(connections), ...targets]) expect(names).toContain(each);
		const alone = nodes.filter(
			(node) => !(node.name in connections) && !targets.includes(node.name),
		);
		expect(alone.map((node) => node.name)).toEqual(
			file === 'call-one-person.json' ? [note.name, 'Relay'] : [note.name],
		);
	});

	it('calls and texts nobody before a number is filled in, and holds no credential', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		expect(JSON.stringify(nodes)).not.toMatch(/\b1[3-9]\d{9}\b/);
	});

	it('has nodes of ours that hold nothing that their form does not have or show', () => {
		for (const { type, parameters } of ours) {
			const description = OURS.get(type);
			if (!description) throw new Error(`There is no node ${type}`);
			const filled = NodeHelpers.getNodeParameters(
				description.properties,
				parameters,
				true,
				false,
				{ typeVersion: 1 },
				description,
			);
			expect(filled).toMatchObject(parameters);
			const options = description.properties
				.filter((property) => property.name === 'options')
				.flatMap(({ options: each = [] }) => each as INodeProperties[])
				.map((option) => option.name);
			for (const option of Object.keys(parameters.options ?? {})) expect(options).toContain(option);
		}
	});
});

it('every node of ours is in some example', () => {
	const types = examples.flatMap(([, { nodes }]) => nodes.map(({ type }) => type));
	for (const type of OURS.keys()) expect(types).toContain(type);
});

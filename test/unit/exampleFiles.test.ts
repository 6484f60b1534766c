import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	INodeParameters,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';
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
/** n8n makes a tool of the action node and adds two parameters. */
const TOOL = `${PREFIX}yuntongxunTool`;
const ACTIONS = [`${PREFIX}yuntongxun`, TOOL];

const MADE_UP_NUMBER = '13800000000';
/** More is a program, not an example. */
const MOST_NODES = 14;
const MOST_LINES_OF_CODE = 25;
const MOST_CHARACTERS_OF_A_NOTE = 700;

/** How n8n's button chooses among several triggers: the highest first. */
const RANKS: Record<string, number> = {
	'n8n-nodes-base.formTrigger': 10,
	'n8n-nodes-base.webhook': 9,
	'n8n-nodes-base.scheduleTrigger': 7,
	'n8n-nodes-base.manualTrigger': 6,
};
const RANK_OF_OTHER_TRIGGERS = 8;
const getRank = (type: string) => RANKS[type] ?? RANK_OF_OTHER_TRIGGERS;
const isTrigger = ({ type }: ExampleNode) => /trigger$/i.test(type) || type.endsWith('.webhook');

type FormPart = INodeProperties | INodePropertyOptions | INodePropertyCollection;

/** Labels of a part of a form and of all within it, choices included. */
function labelsIn(part: FormPart): string[] {
	const within = 'options' in part ? (part.options ?? []) : [];
	return ['displayName' in part ? part.displayName : part.name, ...within.flatMap(labelsIn)];
}

const LABELS = [...OURS.values()].flatMap(({ properties }) => properties.flatMap(labelsIn));

/** What n8n itself calls its things. */
const WORDS_OF_N8N = [
	'Approve',
	'Authentication',
	'Basic Auth',
	'Data Tables',
	'Error Workflow',
	'Error Workflow (to notify when this one errors)',
	'Execute workflow',
	'N8N_WEBHOOK_URL',
	'Open chat',
	'Path',
	'Publish',
	'WEBHOOK_URL',
];

/** Data tables that a user makes. */
const TABLES = ['Questions', 'SMS', 'Steps'];

interface ExampleNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: INodeParameters;
	credentials?: unknown;
	webhookId?: string;
	notes?: string;
}

interface Example {
	name: string;
	nodes: ExampleNode[];
	/** By name of their first node, and by kind. */
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const examples = files.map((file): [string, Example] => [file, JSON.parse(read(file)) as Example]);
const readme = read('README.md');

it('examples share no id, so all can be imported side by side', () => {
	const ids = examples.flatMap(([, { nodes }]) => nodes.map(({ id }) => id));
	expect(ids.length).toBeGreaterThan(20);
	expect(new Set(ids).size).toBe(ids.length);
});

/** Whether a trigger takes results of calls, for which it needs the account. */
const takesCalls = ({ events }: INodeParameters) =>
	Array.isArray(events) && events.some((event) => String(event).startsWith('voice'));

describe.each(examples)('%s', (file, { name, nodes, connections }) => {
	const isNote = ({ type }: ExampleNode) => type === 'n8n-nodes-base.stickyNote';
	const notes = nodes.filter(isNote);
	const [tryIt, goLive] = notes.map(({ parameters }) => String(parameters.content));
	const text = `${tryIt}\n${goLive}`;
	const ours = nodes.filter(({ type }) => type.startsWith(PREFIX));

	it('has a row in the README', () => {
		expect(readme).toContain(`| [${file}](./${file})`);
		expect(name).toMatch(/^[A-Z]/);
	});

	it('is small enough to be read', () => {
		expect(nodes.length - notes.length).toBeLessThanOrEqual(MOST_NODES);
		const lines = nodes.flatMap(({ parameters }) => String(parameters.jsCode ?? '').split('\n'));
		expect(lines.filter(Boolean).length).toBeLessThanOrEqual(MOST_LINES_OF_CODE);
	});

	it('has two short notes, which name the nodes to fill in', () => {
		expect(notes.map((note) => note.name)).toEqual(['Try It', 'Go Live']);
		for (const each of [tryIt, goLive]) {
			expect(each.length).toBeLessThan(MOST_CHARACTERS_OF_A_NOTE);
		}
		const bold = [...tryIt.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words);
		const named = ours.filter(
			({ parameters, type }) => ACTIONS.includes(type) || takesCalls(parameters),
		);
		for (const node of named) expect(bold).toContain(node.name);
	});

	it("starts by what n8n's button starts, and its note names that", () => {
		const [start, ...others] = nodes
			.filter(isTrigger)
			.sort((one, other) => getRank(other.type) - getRank(one.type));
		expect(start.type).not.toBe(`${PREFIX}yuntongxunTrigger`);
		expect(others.map(({ type }) => getRank(type))).not.toContain(getRank(start.type));
		expect(tryIt).toContain(`Start: **${start.name}**`);
	});

	it('says of an open form that anybody can send with it, and how to close it', () => {
		// A sign-in has to be open; its limits and the numbers that it allows are in its note.
		const forms = nodes.filter(({ type }) => type.endsWith('formTrigger'));
		for (const { name: form } of forms.filter((each) => !/sign-in/i.test(each.name))) {
			const line = goLive.split('\n').find((each) => each.includes(`**${form}**`)) ?? '';
			expect(line).toMatch(/[Aa]nybody who knows .* address/);
			expect(line).toMatch(/\*\*Basic Auth\*\* in its \*\*Authentication\*\*/);
		}
	});

	it('says of a sign-in whom it may reach', () => {
		const asked = ours.filter(({ parameters }) => parameters.resource === 'verificationCode');
		if (asked.length > 0) {
			expect(goLive).toContain('**Allowed Recipients** `13*, 14*, 15*, 16*, 17*, 18*, 19*`');
		}
	});

	it('has no fixed address: n8n gives each import its own', () => {
		expect(nodes.filter(({ webhookId }) => webhookId !== undefined)).toEqual([]);
		for (const { name: node, parameters, type } of nodes) {
			if (type !== 'n8n-nodes-base.webhook') continue;
			expect(parameters.path).toMatch(/change-me$/);
			const lines = text.split('\n').filter((line) => line.includes(`**${node}**`));
			expect(lines.join('\n')).toMatch(/change the \*\*Path\*\*/);
		}
	});

	it('names in its note only nodes, tables and labels that there are', () => {
		const ownFields = nodes.flatMap(({ parameters }) => {
			const { values = [] } = (parameters.formFields ?? {}) as { values?: INodeParameters[] };
			return values.map(({ fieldLabel }) => fieldLabel);
		});
		const known = [...nodes.map((node) => node.name), ...ownFields, ...LABELS];
		const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words]) => words);
		const unknown = bold.filter((words) => ![...known, ...WORDS_OF_N8N, ...TABLES].includes(words));
		expect(unknown).toEqual([]);
	});

	it('names only files that exist', () => {
		const named = [...text.matchAll(/[\w-]+\.(?:csv|xlsx|json)\b/g)].map(([each]) => each);
		const folder = (each: string) => (each.endsWith('.json') ? '.' : 'files');
		expect(named.filter((each) => !existsSync(join(FOLDER, folder(each), each)))).toEqual([]);
	});

	it('connects all its nodes, each of a name of its own', () => {
		const names = nodes.map((node) => node.name);
		expect(new Set(names).size).toBe(names.length);
		const targets = Object.values(connections)
			.flatMap((kinds) => Object.values(kinds).flat(2))
			.map(({ node }) => node);
		for (const each of [...Object.keys(connections), ...targets]) expect(names).toContain(each);
		const alone = nodes.filter(
			(node) => !(node.name in connections) && !targets.includes(node.name),
		);
		// A trigger that only takes the results of waiting calls starts nothing.
		const waits = ours.some(({ parameters }) => parameters.resultDelivery === 'wait');
		expect(alone.filter((node) => !isNote(node)).map((node) => node.name)).toEqual(
			waits ? ['Call Results'] : [],
		);
	});

	it('calls and texts nobody before a number is filled in, and holds no credential', () => {
		expect(nodes.filter(({ credentials }) => credentials !== undefined)).toEqual([]);
		const withoutMadeUp = JSON.stringify(nodes).replaceAll(
			`"allowedRecipients":"${MADE_UP_NUMBER}"`,
			'',
		);
		expect(withoutMadeUp).not.toMatch(/\b1[3-9]\d{9}\b/);
	});

	it('lets an AI agent reach only a made-up number until its owner changes that', () => {
		for (const { parameters } of ours.filter(({ type }) => type === TOOL)) {
			expect(parameters.options).toMatchObject({ allowedRecipients: MADE_UP_NUMBER });
		}
	});

	it('leaves the template to its user, and has a text to register', () => {
		for (const node of ours.filter(({ parameters }) => parameters.resource === 'sms')) {
			const { templateId, datas } = node.parameters as { templateId: unknown; datas: string[] };
			// The text of the service's test template is about a verification code.
			if (/code/i.test(node.name)) continue;
			expect(templateId).toEqual({ __rl: true, mode: 'list', value: '' });
			const issues = NodeHelpers.getNodeParametersIssues(
				OURS.get(ACTIONS[0])?.properties ?? [],
				{ ...node, type: ACTIONS[0], credentials: undefined },
				OURS.get(ACTIONS[0]) ?? null,
			);
			expect(issues?.parameters).toHaveProperty('templateId');
			const template = node.notes ?? '';
			const places = [...template.matchAll(/\{(\d+)\}/g)].map(([, number]) => Number(number));
			expect(places).toEqual(datas.map((_, at) => at + 1));
			expect(template.replace(/\{\d+\}/g, '').length).toBeGreaterThan(8);
		}
	});

	it('has Dry Run at hand, switched off, in each node that calls or texts', () => {
		for (const { parameters, type } of ours) {
			const { resource = 'call', operation } = parameters;
			const isSending =
				!type.endsWith('Trigger') && ['notify', 'verify', 'send'].includes(String(operation));
			const { dryRun } = (parameters.options ?? {}) as { dryRun?: boolean };
			expect([resource, operation, dryRun]).toEqual([
				resource,
				operation,
				isSending ? false : undefined,
			]);
		}
	});

	it('sets only fields that the form of its node has and shows', () => {
		for (const { type, parameters: all } of ours) {
			const { descriptionType: _, toolDescription: __, ...parameters } = all;
			if (type !== TOOL) expect(parameters).toEqual(all);
			const description = OURS.get(type === TOOL ? ACTIONS[0] : type);
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

it('both nodes are in some example', () => {
	const types = examples.flatMap(([, { nodes }]) => nodes.map(({ type }) => type));
	for (const type of OURS.keys()) expect(types).toContain(type);
});

import { join } from 'node:path';
import { inspect } from 'node:util';
import { Linter } from 'eslint';
import type { ESLint } from 'eslint';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';
import { parser } from 'typescript-eslint';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';

// n8n's lint sees literals inside `*.node.ts` only. These tests look at the assembled forms.

const ROOT = join(__dirname, '../..');

const action: INodeTypeDescription = new Yuntongxun().description;
const trigger: INodeTypeDescription = new YuntongxunTrigger().description;
const credential: ICredentialType = new YuntongxunApi();

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

const isProperty = (entry: Entry): entry is INodeProperties => 'type' in entry;
const isChoice = (entry: Entry): entry is INodePropertyOptions => 'value' in entry;
const getEntries = (property: INodeProperties): Entry[] => property.options ?? [];
const getChoices = (property: INodeProperties) => getEntries(property).filter(isChoice);

/** A property, where it stands, and the properties beside it and above. */
interface Place {
	path: string;
	property: INodeProperties;
	top: INodeProperties[];
	siblings: INodeProperties[];
}

function placesIn(top: INodeProperties[], path: string, siblings = top): Place[] {
	return siblings.flatMap((property) => {
		const { resource = [], operation = [] } = property.displayOptions?.show ?? {};
		const own = [path, ...resource, ...operation, property.name].join('.');
		const within = getEntries(property).filter(isProperty);
		return [{ path: own, property, top, siblings }, ...placesIn(top, own, within)];
	});
}

const places = [
	...placesIn(action.properties, 'action'),
	...placesIn(trigger.properties, 'trigger'),
	...placesIn(credential.properties, 'credential'),
];

/** The places of which something wrong is said, with it. */
const wrong = (what: (place: Place) => unknown) =>
	places.flatMap((place) => {
		const found = what(place);
		return found === undefined || found === false ? [] : [[place.path, found]];
	});

/** Of its examples n8n shows this many characters, in the width that a form opens with. */
const SEEN_CHARACTERS = 46;

it('every placeholder fits into its field', () => {
	expect(
		wrong(
			({ property: { placeholder = '' } }) => placeholder.length > SEEN_CHARACTERS && placeholder,
		),
	).toEqual([]);
});

it('every field of the nodes and the credential has a description that does not just repeat its name', () => {
	const speaksForItself = ['collection', 'notice', 'hidden'];
	const named = ['resource', 'operation'];
	expect(
		wrong(
			({ property: { name, type, displayName, description } }) =>
				!speaksForItself.includes(type) &&
				!named.includes(name) &&
				(description === undefined || description === displayName) &&
				displayName,
		),
	).toEqual([]);
});

/** What a property may hold, as far as its form says it. */
function holds(property: INodeProperties, value: unknown): boolean {
	const { minValue = -Infinity, maxValue = Infinity, multipleValues } = property.typeOptions ?? {};
	const values = getChoices(property).map((choice) => choice.value as unknown);
	if (multipleValues && property.type !== 'fixedCollection') {
		return Array.isArray(value) && value.every((each) => typeof each === 'string');
	}
	switch (property.type) {
		case 'options':
			return values.includes(value);
		case 'multiOptions':
			return Array.isArray(value) && value.every((each) => values.includes(each));
		case 'number':
			return typeof value === 'number' && minValue <= value && value <= maxValue;
		case 'boolean':
			return typeof value === 'boolean';
		case 'collection':
		case 'fixedCollection':
			return inspect(value) === '{}';
		case 'resourceLocator': {
			const { mode, value: chosen } = value as { mode: string; value: unknown };
			return chosen === '' && (property.modes ?? []).some(({ name }) => name === mode);
		}
		default:
			return typeof value === 'string';
	}
}

it.each(['dryRun', 'omitSecrets'])('%s takes effect as soon as it is added', (option) => {
	expect(
		wrong(({ property: { name, default: preset } }) => name === option && preset !== true),
	).toEqual([]);
});

describe('display options', () => {
	const conditions = places.flatMap(({ path, property, top, siblings }) =>
		[property.displayOptions?.show, property.displayOptions?.hide].flatMap((group) =>
			Object.entries(group ?? {}).map(([key, values = []]) => ({
				path,
				property,
				key,
				values: values as unknown[],
				known: key.startsWith('/') ? top : siblings,
			})),
		),
	);
	const byKey = conditions.filter(({ key }) => !key.startsWith('@'));

	const isShownFor = (own: INodeProperties, other: INodeProperties) =>
		['resource', 'operation'].every((picker) => {
			const [mine, theirs] = [own, other].map((each) => each.displayOptions?.show?.[picker]);
			return (
				mine === undefined || theirs === undefined || mine.some((each) => theirs.includes(each))
			);
		});

	it.each(byKey.map((condition) => [condition.path, condition.key, condition] as const))(
		'%s looks at a field that is there, %s, and at values it can hold',
		(_path, key, { property, values, known }) => {
			const [name, part] = key.replace('/', '').split('.');
			const named = known.filter((each) => each.name === name && isShownFor(property, each));
			expect(named.length).toBeGreaterThan(0);
			expect(values.length).toBeGreaterThan(0);
			for (const value of values) {
				const canHold = named.some((each) => {
					if (part === 'mode') return (each.modes ?? []).some((mode) => mode.name === value);
					if (inspect(value) === '{ _cnd: { exists: true } }') return true;
					// n8n compares a choice of several with each chosen one.
					return holds(each, each.type === 'multiOptions' ? [value] : value);
				});
				expect([value, canHold]).toEqual([value, true]);
			}
		},
	);

	it('never show two fields with the same name at once', () => {
		const show = ({ displayOptions }: INodeProperties) => displayOptions?.show ?? {};
		const excludes = (one: INodeProperties, other: INodeProperties) =>
			Object.entries(show(one)).some(([key, values = []]) => {
				const others = show(other)[key];
				return (
					others !== undefined && !values.some((value) => others.some((each) => each === value))
				);
			});
		const clashes = places.flatMap(({ path, property, siblings }) =>
			siblings
				.filter((other) => other !== property && other.name === property.name)
				.filter((other) => !excludes(property, other))
				.map(() => path),
		);
		expect(clashes).toEqual([]);
	});
});

// The credential has its form in its own file, where `npm run check` lints it.
describe("n8n's own lint, with the assembled forms in place", () => {
	type Plugin = ESLint.Plugin & { configs: Record<string, { rules: Linter.RulesRecord }> };

	/** Where the plugin finds itself tested, it gives every file another name. */
	function untested<T>(load: () => T): T {
		const { NODE_ENV } = process.env;
		process.env.NODE_ENV = 'production';
		try {
			return load();
		} finally {
			process.env.NODE_ENV = NODE_ENV;
		}
	}

	const plugin = untested(() => jest.requireActual<Plugin>('eslint-plugin-n8n-nodes-base'));

	/** n8n's own lint switches these off: see the ESLint configuration of the package. */
	const OFF = [
		'node-class-description-inputs-wrong-regular-node',
		'node-class-description-outputs-wrong',
		'node-param-type-options-max-value-present',
	];

	function findComplaints(file: string, source: string): string[] {
		const rules = Object.fromEntries(
			Object.entries(plugin.configs.nodes.rules).filter(
				([rule]) => !OFF.includes(rule.replace('n8n-nodes-base/', '')),
			),
		);
		const config: Linter.Config = {
			files: ['**/*.ts'],
			plugins: { 'n8n-nodes-base': plugin },
			languageOptions: { parser: parser as Linter.Parser },
			rules,
		};
		const linter = new Linter({ configType: 'flat', cwd: ROOT });
		const messages = linter.verify(source, [config], join(ROOT, file));
		const lines = source.split('\n');
		return messages.map(({ ruleId, line, message }) => `${ruleId}: ${lines[line - 1]} ${message}`);
	}

	const literal = (value: unknown) =>
		inspect(value, {
			depth: Infinity,
			maxArrayLength: Infinity,
			maxStringLength: Infinity,
			breakLength: 1,
			compact: false,
		});

	const nodeSource = (name: string, description: INodeTypeDescription) =>
		`export class ${name} implements INodeType {\n\tdescription: INodeTypeDescription = ${literal(description)};\n}`;

	it.each([
		['Yuntongxun', action],
		['YuntongxunTrigger', trigger],
	])('reports nothing for %s', (name, description) => {
		const file = `nodes/Yuntongxun/${name}.node.ts`;
		expect(findComplaints(file, nodeSource(name, description))).toEqual([]);
	});
});

import { broken, shown } from './violation';
import type { ReadBody } from './xmlBody';

const LONE_SURROGATE = /\p{Surrogate}/u;
/** A string, with its colon if it names a member; or a bracket. */
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g;

/**
 * The names of the outermost object's members that appear more than once. `JSON.parse` keeps the
 * last of them and says nothing.
 */
function repeatedNames(json: string): string[] {
	const seen = new Set<string>();
	const repeated = new Set<string>();
	let depth = 0;
	for (const [token, text, colon] of json.matchAll(TOKENS)) {
		if (text === undefined) depth += token === '{' || token === '[' ? 1 : -1;
		else if (colon !== undefined && depth === 1) {
			const name = String(JSON.parse(text));
			if (seen.has(name)) repeated.add(name);
			seen.add(name);
		}
	}
	return [...repeated];
}

type Parsed = { isJson: true; value: unknown } | { isJson: false; problem: string };

function parse(json: string): Parsed {
	try {
		return { isJson: true, value: JSON.parse(json) };
	} catch (error) {
		return { isJson: false, problem: (error as Error).message };
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const describeKind = (value: unknown): string =>
	value === null ? 'null' : Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;

/**
 * Reads a JSON request body: a flat object whose values are all strings, except `datas`, an
 * array of strings; no member twice (specification 1, rule 3, 4 and 4.3).
 * @param json the body as text
 * @returns the content as far as it is readable, and every violation of the form
 */
export function readJsonBody(json: string): ReadBody {
	const parsed = parse(json);
	if (!parsed.isJson) {
		return { violations: [broken('json', `the body is not JSON: ${parsed.problem}`)] };
	}
	if (!isObject(parsed.value)) {
		const words = `the body must be a flat object, not ${describeKind(parsed.value)}`;
		return { violations: [broken('json', words)] };
	}

	const violations = repeatedNames(json).map((name) =>
		broken('repeatedField', `the member ${shown(name)} appears more than once`),
	);
	const fields = new Map<string, string>();
	let datas: string[] | undefined;

	const readString = (name: string, value: unknown): string => {
		if (typeof value !== 'string') {
			const words = `${name} must be a string, not ${describeKind(value)}: every value is`;
			violations.push(broken('notAString', words));
			return JSON.stringify(value);
		}
		if (LONE_SURROGATE.test(value)) {
			violations.push(broken('text', `${name} has half of a surrogate pair`));
		}
		return value;
	};

	for (const [name, value] of Object.entries(parsed.value)) {
		if (name !== 'datas') fields.set(name, readString(name, value));
		else if (Array.isArray(value)) datas = value.map((one) => readString('datas', one));
		else
			violations.push(broken('notAnArray', `datas must be an array, not ${describeKind(value)}`));
	}
	return { content: { fields, ...(datas && { datas }) }, violations };
}

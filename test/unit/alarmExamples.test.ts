import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What real monitoring sends, through the code and the expressions of the examples as they are published. */

interface Alarm {
	title: string;
	details: string;
	severity: string;
}

interface Row {
	file: string;
	/** Title, details and severity of each alarm that is handed on. */
	alarms: Array<[title: string, details: string, severity: string]>;
	/** The variables of the SMS, where cutting is not plain. */
	texted?: string[];
	/** So many copies of the only alert, each `#` in it replaced by its number. */
	repeat?: number;
}

type Parameters = Record<string, unknown>;

const ROOT = join(__dirname, '../..');
const CORPUS = join(ROOT, 'test/corpus/alarms');
const readJson = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
const table = readJson<Row[]>(join(CORPUS, 'table.json'));

function findParameters(file: string, name: string): Parameters {
	const { nodes } = readJson<{ nodes: Array<{ name: string; parameters: Parameters }> }>(
		join(ROOT, 'examples', file),
	);
	const node = nodes.find((each) => each.name === name);
	if (!node) throw new Error(`${file} has no node ${name}`);
	return node.parameters;
}

/** Runs the reader's Code node. */
function readAlarms(body: unknown): Alarm[] {
	const code = String(findParameters('alarm-from-monitoring.json', 'Alarms').jsCode);

	const run = new Function('$input', code) as (input: object) => Array<{ json: Alarm }>;
	return run({ first: () => ({ json: { body } }) }).map(({ json }) => json);
}

/** The value of a field with `{{ }}` in the kit, for an alarm and a row of its table. */
function fill(field: unknown, alarm: Alarm): string {
	const $ = () => ({ first: () => ({ json: alarm }) });
	const $json = { ...alarm, name: '王芳' };
	return String(field)
		.replace(/^=/, '')
		.replace(/\{\{([^]*?)\}\}/g, (_, expression: string) => {
			const evaluate = new Function('$', '$json', `return ${expression}`) as (
				...given: unknown[]
			) => unknown;
			return String(evaluate($, $json));
		});
}

function readBody({ file, repeat }: Row): unknown {
	const body = readJson<{ alerts?: unknown[] }>(join(CORPUS, file));
	if (repeat === undefined) return body;
	const [only] = body.alerts ?? [];
	const text = JSON.stringify(only);
	return {
		...body,
		alerts: Array.from({ length: repeat }, (_, at) => JSON.parse(text.replaceAll('#', String(at)))),
	};
}

describe('alarms as monitoring sends them', () => {
	test.each(table.map((row): [string, Row] => [row.file, row]))('%s', (_, row) => {
		const alarms = readAlarms(readBody(row));
		expect(alarms.map(({ title, details, severity }) => [title, details, severity])).toEqual(
			row.alarms,
		);
		for (const [at, [title, details]] of row.alarms.entries()) {
			const spoken = fill(findParameters('on-call-kit.json', 'Call').mediaTxt, alarms[at]);
			expect(spoken).toBe(
				`王芳，您好，这是告警电话。${title}。${details}。请打开群里的链接确认处理。`,
			);
			const datas = findParameters('on-call-kit.json', 'Text Details').datas as string[];
			expect(datas.map((field) => fill(field, alarms[at]))).toEqual(
				row.texted ?? [title, details].map((text) => Array.from(text).slice(0, 20).join('')),
			);
		}
	});

	test('nothing that the node would refuse, or that only a screen shows, is spoken', () => {
		for (const alarm of table.flatMap((row) => readAlarms(readBody(row)))) {
			const { title, details } = alarm;
			expect(title.length).toBeGreaterThan(0);
			expect(details.length).toBeGreaterThan(0);
			expect(`${title}${details}`).not.toMatch(/[\p{Cc}\ufffd]|https?:|\*\*|<br/u);
			expect(`${title}${details}`).toBe(`${title}${details}`.toWellFormed());
			expect(Array.from(title).length).toBeLessThanOrEqual(60);
			expect(details.length).toBeLessThan(220);
		}
	});

	test.each([[{}], [{ hello: 'world' }], [{ alerts: 'none' }], ['text']])(
		'%j is no alarm: the workflow fails, so that its error workflow tells',
		(body) => {
			expect(() => readAlarms(body)).toThrow(/no alarm of/);
		},
	);

	// Read to its end from each bracket, this takes many seconds of a processor.
	test('a text of 100,000 brackets holds nobody up', () => {
		const text = '['.repeat(100_000);
		const start = process.cpuUsage();
		const [{ title, details }] = readAlarms({
			alerts: [{ labels: { alertname: text }, annotations: { summary: text } }],
		});
		expect(process.cpuUsage(start).user / 1000).toBeLessThan(1000);
		expect([title.length, details.length]).toEqual([60, 200]);
	});

	test('every body has a row of its own', () => {
		const files = readdirSync(CORPUS).filter((file) => file !== 'table.json');
		expect(table.map(({ file }) => file).sort()).toEqual(files.sort());
	});
});

describe.each(['docs/on-call.md', 'docs/zh-CN/on-call.md'])("Zabbix' script in %s", (file) => {
	const [, script] = /```js\n([^]*?)```/.exec(readFileSync(join(ROOT, file), 'utf8')) ?? [];
	const given = {
		event_value: '1',
		event_name: 'CPU "high"',
		event_nseverity: '5',
		host_name: 'db1',
		url: 'https://n8n.example.com/webhook/alarm-change-me',
		auth: 'Basic bmFtZTpwYXNzd29yZA==',
	};

	function post(status: number) {
		const seen: string[] = [];
		const HttpRequest = class {
			addHeader(line: string) {
				seen.push(line);
			}
			post(url: string, body: string) {
				seen.push(url, body);
			}
			getStatus() {
				return status;
			}
		};
		const run = new Function('value', 'HttpRequest', script) as (...all: unknown[]) => unknown;
		return { seen, says: () => run(JSON.stringify(given), HttpRequest) };
	}

	test('posts what the reader takes, and neither name nor password in the body', () => {
		const { seen, says } = post(200);
		expect(says()).toBe('OK');
		const [type, authorization, url, body] = seen;
		expect([type, authorization]).toEqual([
			'Content-Type: application/json',
			`Authorization: ${given.auth}`,
		]);
		expect(url).toBe(given.url);
		expect(body).not.toMatch(/Basic|bmFtZ|n8n\.example/);
		expect(readAlarms(JSON.parse(body))).toEqual([
			{ title: 'CPU "high"', details: 'db1', severity: 'critical' },
		]);
	});

	test('tells Zabbix where n8n did not take it', () => {
		expect(post(403).says).toThrow(/403/);
	});
});

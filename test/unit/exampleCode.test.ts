import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DateTime } from 'luxon';

/** The Code nodes of the examples, run as they are published. */

type Json = Record<string, unknown>;

const ROOT = join(__dirname, '../..');

/** Runs a Code node on one item, at one moment. */
function run(code: string, json: unknown, now: DateTime = DateTime.utc(2026, 1, 2, 3, 4)): Json[] {
	const item = { json };
	const node = new Function('$input', '$now', code) as (
		...given: unknown[]
	) => Array<{ json: Json }>;
	return node({ first: () => item, all: () => [item] }, now).map((each) => each.json);
}

function findCode(file: string): string {
	const { nodes } = JSON.parse(readFileSync(join(ROOT, 'examples', file), 'utf8')) as {
		nodes: Array<{ parameters: { jsCode?: string } }>;
	};
	const [code] = nodes.flatMap(({ parameters: { jsCode } }) => jsCode ?? []);
	return code;
}

describe('on-call', () => {
	const code = findCode('on-call.json');
	const PEOPLE = '13800000021\n13800000031';
	const firing = (labels: object, annotations?: object) => ({
		status: 'firing',
		labels,
		annotations,
	});
	const plan = (alerts: unknown, people = PEOPLE, now?: DateTime) =>
		run(code, { body: { alerts }, people }, now);

	test('plans a call to each person for each alarm that fires, the last one marked', () => {
		const down = firing({ alertname: 'Down', instance: 'db1' }, { summary: '没有响应' });
		const slow = firing({ alertname: 'Slow' });
		const over = { status: 'resolved', labels: { alertname: 'Over' } };
		const calls = plan([down, over, slow, down]);
		expect(calls.map(({ title, details, to, isLast }) => [title, details, to, isLast])).toEqual([
			['Down', '没有响应', '13800000021', false],
			['Down', '没有响应', '13800000031', true],
			['Slow', '没有说明', '13800000021', false],
			['Slow', '没有说明', '13800000031', true],
		]);
		expect(plan([over])).toEqual([]);
	});

	test('tells alarms apart by their whole name, their instance and the clock hour; only the spoken text is cut', () => {
		const long = 'x'.repeat(100);
		const getId = (alertname: string, instance: string, minute = 0) =>
			plan([firing({ alertname, instance })], PEOPLE, DateTime.utc(2026, 1, 2, 3, minute))[0].id;
		const ids = [
			getId(`${long}a`, 'db1'),
			getId(`${long}b`, 'db1'),
			getId(`${long}a`, 'db2'),
			getId(`${long}a`, 'db1', 60),
		];
		expect(new Set(ids).size).toBe(4);
		expect(getId(`${long}a`, 'db1', 59)).toBe(ids[0]);
		expect(getId('a', 'b c')).not.toBe(getId('a b', 'c'));
		expect(plan([firing({ alertname: long })])[0].title).toBe('x'.repeat(60));
	});

	test.each<[string, unknown]>([
		['no list', undefined],
		['a text', 'none'],
		['an empty list', []],
		['an alert without labels', [{ status: 'firing' }]],
		['an alert without a name', [firing({ severity: 'page' })]],
		['a resolved alert without labels', [{ status: 'resolved' }]],
		['an alert without a status', [{ labels: { alertname: 'Down' } }]],
	])('fails clearly for %s', (_, alerts) => {
		expect(() => plan(alerts)).toThrow('Alertmanager did not send this');
	});

	test('fails clearly while nobody is entered', () => {
		expect(() => plan([firing({ alertname: 'Down' })], ' \n')).toThrow('People');
	});

	describe.each(['docs/on-call.md', 'docs/zh-CN/on-call.md'])('%s', (file) => {
		const document = readFileSync(join(ROOT, file), 'utf8');
		const [nightingale, zabbix] = [...document.matchAll(/```js\n([^]*?)```/g)].map(([, js]) => js);

		test("hands on Nightingale's events", () => {
			const event = { rule_name: 'Down', target_ident: 'db1', rule_note: '', is_recovered: false };
			const [{ body }] = run(nightingale, { body: event });
			expect(run(code, { body, people: PEOPLE })).toHaveLength(2);
			const [recovered] = run(nightingale, { body: [{ ...event, is_recovered: true }] });
			expect(run(code, { ...recovered, people: PEOPLE })).toEqual([]);
		});

		test.each([
			['1', 2],
			['0', 0],
		])("posts Zabbix' events of the value %s, which come to %d calls", (value, calls) => {
			const given = {
				url: 'https://n8n.example.com',
				auth: 'Basic abc',
				name: 'CPU "high"',
				host: 'db1',
			};
			let [sent, status] = ['', 200];
			const HttpRequest = class {
				addHeader = () => undefined;
				post = (_url: string, body: string) => {
					sent = body;
				};
				getStatus = () => status;
			};
			const script = new Function('value', 'HttpRequest', zabbix) as (...all: unknown[]) => string;
			expect(script(JSON.stringify({ ...given, value }), HttpRequest)).toBe('OK');
			expect(sent).not.toMatch(/Basic|example/);
			expect(run(code, { body: JSON.parse(sent) as Json, people: PEOPLE })).toHaveLength(calls);
			status = 403;
			expect(() => script(JSON.stringify({ ...given, value }), HttpRequest)).toThrow(/403/);
		});
	});
});

test.each([
	[
		'opt-out',
		['TD', 'ＴＤ', 'TD。', 'td!', 'TD退订', 'TD 谢谢', 'T', 'R', '退订', '请拒收', '退订！'],
	],
	['yes', ['Y', 'Ｙ', 'y!', '是', '是的。', '好', 'OK']],
	['no', ['N', 'ｎ', 'No.', '不能', '不来']],
	['unclear', ['Nice, I come', 'You', 'tdx', '', '?', '晚点到', 'not sure']],
] as const)('ask-by-sms-and-wait reads what people write for %s', (answer, texts) => {
	const code = findCode('ask-by-sms-and-wait.json');
	for (const text of texts) {
		const [json] = run(code, { number: '+8613800000000', appendCode: '961234', text });
		expect([text, json]).toEqual([text, { number: '13800000000', suffix: '1234', answer }]);
	}
});

test.each([
	['203.0.113.9, 198.51.100.7', '198.51.100.7'],
	['198.51.100.7:51034', '198.51.100.7'],
	['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
	['[2001:0DB8:1:2::9]:443', '2001:db8:1:2'],
	['2001:db8::1', '2001:db8:0:0'],
	['::1', '0:0:0:0'],
	['::ffff:198.51.100.7', '198.51.100.7'],
	['[::ffff:198.51.100.7]:80', '198.51.100.7'],
	['', 'direct'],
	[undefined, 'direct'],
])('sign-in-webhook-api counts a visitor of %j as %s', (forwarded, visitor) => {
	const item = { headers: { 'x-forwarded-for': forwarded }, body: { to: '1' } };
	expect(run(findCode('sign-in-webhook-api.json'), item)).toEqual([{ ...item, visitor }]);
});

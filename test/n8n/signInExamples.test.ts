import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FaultRule } from '../../simulator/index';
import { listTexts } from '../harness/calls';
import {
	importExample,
	readExample,
	readPage,
	sendForm,
	sendPage,
	type FilledIn,
} from '../harness/examples';
import { fetchAlone, postJson } from '../harness/http';
import { credentialData, CREDENTIAL_TYPE, describeOnEachN8n, type Setup } from '../harness/setup';
import type { RunningN8n } from '../harness/startN8n';
import { until } from '../harness/until';
import { actionWorkflow, START } from '../harness/workflows';

/** A registered number: the test template takes only those. */
const NUMBER = '13800000000';

/** Another code of six digits, a different one for each `by`. */
const otherThan = (code: string, by = 1) =>
	String((Number(code) + by) % 1_000_000).padStart(6, '0');

const inFullWidth = (code: string) =>
	code.replace(/\d/g, (digit) => '０１２３４５６７８９'[Number(digit)]);

/** A forgotten fault would hit a later request. */
const FAULTS: Array<FaultRule | undefined> = [
	undefined,
	{ kind: 'statusCode', statusCode: '160040' },
	{ kind: 'http', status: 503, body: '<html>503</html>', contentType: 'text/html' },
	{ kind: 'silence' },
];

/** The ways in which a value can be written down. */
const listSpellings = (value: string): string[] => [
	value,
	value.toLowerCase(),
	value.toUpperCase(),
	encodeURIComponent(value),
	JSON.stringify(value).slice(1, -1),
	Buffer.from(value).toString('base64'),
	Buffer.from(value).toString('hex'),
];

/** Everything that an n8n keeps and has said, by where it is: each file but those with code, and its output. */
async function collectTraces({ log, userFolder }: RunningN8n): Promise<Array<[string, Buffer]>> {
	const traces: Array<[string, Buffer]> = [['output', Buffer.from(log)]];
	for (const path of await readdir(userFolder, { recursive: true })) {
		if (/(?:^|\/)(?:node_modules|\.cache)(?:\/|$)/.test(path)) continue;
		// Folders cannot be read, and a journal of the database can be gone: what was in it is in the database.
		const content = await readFile(join(userFolder, path)).catch(() => undefined);
		if (content) traces.push([path, content]);
	}
	return traces;
}

const declare = (setup: () => Setup) => {
	/** What nobody may find of all requests: the token, and what they were signed with. */
	const secrets = new Set<string>();

	beforeEach(() => setup().simulator.reset());
	afterEach(() => {
		const { credentials, record } = setup().simulator;
		expect(setup().simulator.violations()).toEqual([]);
		secrets.add(credentials.authToken);
		for (const { query, headers } of record.requests) {
			const authorization = String(headers.authorization);
			secrets.add(new URLSearchParams(query).get('sig') ?? '');
			secrets.add(authorization);
			secrets.add(Buffer.from(authorization, 'base64').toString());
		}
	});

	/** Imports an example, and activates it. */
	async function activated(file: string, filledIn: FilledIn = {}) {
		const workflow = await importExample(setup(), await readExample(file), filledIn);
		await setup().n8n.rest.activate(workflow);
		return workflow;
	}

	/** The nodes that send, without the limit of one code a minute: tests do not wait that long. */
	async function withoutMinute(file: string): Promise<FilledIn> {
		const filledIn: FilledIn = {};
		for (const { name, parameters } of (await readExample(file)).nodes) {
			if (!['Send Code', 'Text Code'].includes(name)) continue;
			const { limits } = parameters.options as { limits: { rule: Array<{ per: string }> } };
			const rule = limits.rule.filter(({ per }) => per !== 'minute');
			filledIn[name] = { options: { limits: { rule } } };
		}
		return filledIn;
	}

	/** The codes that were spoken, and the messages that were texted. */
	const spoken = () =>
		setup()
			.simulator.record.requests.filter(({ operation }) => operation === 'VoiceVerify')
			.map(({ fields }) => String(fields.verifyCode));
	const texted = () => listTexts(setup().simulator);
	/** The code and its minutes, ten within the second in which the token was made. */
	const textOf = (code: string) => ({
		to: [NUMBER],
		templateId: '1',
		datas: [code, expect.stringMatching(/^(?:9|10)$/) as string],
	});

	describe('sign-in-webhook-api', () => {
		const FILE = 'sign-in-webhook-api.json';

		interface Answer {
			status: number;
			message?: string;
			token?: string;
			resendAfterSeconds?: number;
			attemptsLeft?: number;
		}

		let address: string;
		let workflow: { id: string };

		/** Puts the example at an address of its own. */
		async function open(filledIn: FilledIn = {}) {
			const path = randomUUID();
			const stored = await activated(FILE, { 'Sign-In': { path }, ...filledIn });
			const url = `${setup().n8n.url}/webhook/${path}`;
			await until('the page', async () => (await fetchAlone(url)).ok || undefined);
			return { stored, url };
		}

		beforeAll(async () => {
			({ stored: workflow, url: address } = await open(await withoutMinute(FILE)));
		});

		async function post(fields: Record<string, string>, inJson = true): Promise<Answer> {
			const body = inJson ? JSON.stringify(fields) : new URLSearchParams(fields);
			const type = { 'content-type': 'application/json' };
			// What a browser says whose page n8n has put into a sandbox.
			const headers = { origin: 'null', ...(inJson && type) };
			const response = await fetchAlone(address, { method: 'POST', headers, body });
			expect(response.headers.get('access-control-allow-origin')).toBe('null');
			return { status: response.status, ...((await response.json()) as object) };
		}

		test('shows a page that sends to its own address', async () => {
			const html = await (await fetchAlone(address)).text();
			expect(html).toContain('fetch(location.href');
			expect(html).toContain('id="again"');
		});

		test('signs in once with the spoken code, typed as people type it', async () => {
			const { status, token = '', resendAfterSeconds } = await post({ to: NUMBER });
			const [code] = spoken();
			expect([status, resendAfterSeconds]).toEqual([200, 60]);

			const wrong = await post({ token, code: otherThan(code) });
			expect(wrong).toMatchObject({ status: 401, reason: 'wrong', attemptsLeft: 4 });
			expect(wrong.message).toContain('还可以试 4 次');
			for (const { id } of await setup().n8n.rest.listExecutions(workflow)) {
				expect((await setup().n8n.rest.ended(id)).storedText).not.toContain(code);
			}

			const typed = `${code.slice(0, 3)}-${inFullWidth(code.slice(3))} `;
			const right = { status: 200, signedIn: true, to: NUMBER };
			expect(await post({ token, code: typed }, false)).toMatchObject(right);
			expect(await post({ token, code })).toMatchObject({ status: 401, reason: 'used' });
		});

		test('sends the same code again by SMS, and wrong codes count on', async () => {
			const { token = '' } = await post({ to: NUMBER });
			const [code] = spoken();
			expect(await post({ token, code: otherThan(code) })).toMatchObject({ attemptsLeft: 4 });

			expect(await post({ to: NUMBER, token })).toMatchObject({ status: 200, token });
			expect(texted()).toMatchObject([textOf(code)]);
			expect(await post({ token, code: otherThan(code, 2) })).toMatchObject({ attemptsLeft: 3 });
			expect(await post({ token, code })).toMatchObject({ signedIn: true });
		});

		test('calls a number once a minute, and gives ten codes an hour to one address, as the proxy tells it', async () => {
			const { url } = await open();
			// What a visitor claims stands in front of what the proxy adds.
			const ask = async (to: string, proxied: string) =>
				(await postJson(url, { to }, { 'x-forwarded-for': `203.0.113.1, ${proxied}` })).status;
			expect(await ask(NUMBER, '198.51.100.1')).toBe(200);
			expect(await ask(NUMBER, '198.51.100.2')).toBe(429);
			expect(spoken()).toHaveLength(1);
			const statuses: number[] = [];
			for (let at = 0; at < 12; at++) {
				statuses.push(await ask(String(13_800_001_000 + at), '198.51.100.7'));
			}
			expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
			expect(await ask('13800001012', '198.51.100.8')).toBe(200);
		});

		test('gives no token where no code was sent, and one where it may have been', async () => {
			expect(await post({ to: '138-0000-000' })).toMatchObject({ status: 429 });
			const forged = await post({ token: 'code.forged', code: '123456' });
			expect(forged).toMatchObject({ status: 401, reason: 'forged' });
			setup().simulator.fail({ kind: 'reset', accept: true });
			const { token = '' } = await post({ to: '13800000003' });
			expect(await post({ token, code: spoken()[0] })).toMatchObject({ signedIn: true });
		});
	});

	describe('sign-in-with-n8n-forms', () => {
		/** Fills in the first page, and gives what a person does with those that follow. */
		async function begin(number: string) {
			const file = 'sign-in-with-n8n-forms.json';
			const workflow = await activated(file, await withoutMinute(file));
			const { executionId: id, nextPage } = await sendForm(setup(), workflow, [number]);
			/** Waits for the next page: n8n leaves a request unanswered while it runs. */
			const openPage = async (node: string, runs = 1) => {
				const { storedText } = await setup().n8n.rest.waiting(
					id,
					(execution) => execution.getRuns(node).length === runs,
				);
				return { html: await readPage(nextPage), storedText };
			};
			const enter = async (code: string, again = '') => await sendPage(nextPage, [code, again]);
			return { id, openPage, enter };
		}

		test('signs in after a wrong code, with the same code again by SMS', async () => {
			const { id, enter, openPage } = await begin(NUMBER);
			const asked = await openPage('Code Sent');
			const [code] = spoken();
			expect(asked.html).toContain(`验证码已发往 ${NUMBER}`);
			expect(asked.html + asked.storedText).not.toContain(code);

			await enter(otherThan(code));
			expect((await openPage('Check Code')).html).toContain('还可以输入 4 次');

			await enter('', '短信重发');
			await openPage('Code Sent', 2);
			expect(texted()).toMatchObject([textOf(code)]);

			await enter(`${code.slice(0, 3)} ${inFullWidth(code.slice(3))}`);
			expect((await openPage('Check Code', 2)).html).toContain('登录成功');
			await enter('');
			const execution = await setup().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			const checked = execution.getRuns('Check Code').map(({ data }) => data?.main?.[0]?.[0].json);
			expect(checked).toMatchObject([
				{ reason: 'wrong', attemptsLeft: 4 },
				{ reason: 'valid', to: NUMBER },
			]);
		});

		test('calls with a new code after too many wrong ones', async () => {
			const { enter, openPage } = await begin(NUMBER);
			await openPage('Code Sent');
			const [first] = spoken();
			for (const tries of [1, 2, 3, 4, 5]) {
				await enter(otherThan(first, tries));
				await openPage('Check Code', tries);
			}
			await enter('yes');
			await openPage('Code Sent', 2);
			await enter(spoken()[1]);
			expect((await openPage('Check Code', 6)).html).toContain('登录成功');
			expect(texted()).toEqual([]);
		});

		test('ends where no code can be sent', async () => {
			const { openPage } = await begin('13900000000');
			expect((await openPage('Had a Code?')).html).toContain('验证码未发送');
			expect(setup().simulator.record.requests).toEqual([]);
		});
	});

	// The last test, which looks for the secrets of those before it.
	test('left no token, signature or code in what n8n stored, logged and printed', async () => {
		const { n8n, simulator, credential } = setup();
		const { rest } = n8n;
		// So long that no ID and no date holds such a code by chance.
		const send = { resource: 'verificationCode', operation: 'send', to: NUMBER, codeLength: 8 };
		for (const channel of [{}, { channel: 'sms', templateId: '100002' }]) {
			for (const fault of FAULTS) {
				if (fault) simulator.fail(fault);
				const options = { timeout: 2000 };
				const definition = actionWorkflow(credential, { ...send, ...channel, options });
				await rest.runToEnd(await rest.createWorkflow(definition), START);
			}
		}
		const codes = simulator.record.requests.map(({ fields }) =>
			String(fields.verifyCode ?? fields.datas?.[0]),
		);
		expect(codes).toEqual(Array(2 * FAULTS.length).fill(expect.stringMatching(/^\d{8}$/)));
		for (const code of codes) secrets.add(code);

		// A redirect that the test of the credential followed would be a request that breaks a rule.
		const location = `${simulator.url}/elsewhere`;
		simulator.fail({ kind: 'http', status: 307, body: '', headers: { location } });
		const data = credentialData(simulator);
		const id = await rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
		const tested = await rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
		expect(tested.status).toBe('Error');

		expect([...secrets].filter((each) => each.length < 8)).toEqual([]);
		expect(secrets.size).toBeGreaterThan(20);
		// The address of a webhook that nobody has, and the name of a workflow, are in all of them.
		const planted = randomUUID();
		await fetch(`${n8n.url}/webhook/${planted}`, { method: 'POST' });
		await rest.createWorkflow({ ...actionWorkflow(credential, send), name: planted });
		const traces = await until('the planted value in all places', async () => {
			const all = await collectTraces(n8n);
			const places = all.filter(([, content]) => content.includes(planted)).map(([place]) => place);
			const isIn = (kind: RegExp) => places.some((place) => kind.test(place));
			return [/^output$/, /database\.sqlite/, /\.log$/].every(isIn) ? all : undefined;
		});
		const spellings = [...secrets].flatMap(listSpellings);
		// The values are not told.
		const leaks = traces.filter(([, content]) => spellings.some((each) => content.includes(each)));
		expect(leaks.map(([place]) => place)).toEqual([]);
	});
};

describeOnEachN8n('The sign-in examples', declare, {
	env: { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' },
});

import { randomUUID } from 'node:crypto';
import type { AcceptedMessage, FaultRule } from '../../simulator/index';
import { fetchAlone, postJson } from '../harness/http';
import type { StoredWorkflow } from '../harness/n8nRest';
import { until } from '../harness/until';
import { importAndFill, readExample, type FilledIn } from '../harness/examples';
import { readPage, sendForm, sendPage } from '../harness/forms';
import { actionWorkflow, START } from '../harness/workflows';
import { credentialData, CREDENTIAL_TYPE, describeOnEachN8n, type World } from '../harness/world';
import { collectTraces, findSecrets, type Secret } from './support/secretSearch';
import './support/retry';

/** A registered number: the test template takes only those. */
const NUMBER = '13800000000';
const CODE = /^\d{6}$/;

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

const declare = (world: () => World) => {
	/** What nobody may find of all requests: the token, and what they were signed with. */
	const secrets: Secret[] = [];

	beforeEach(() => world().simulator.reset());
	afterEach(() => {
		const { credentials, record } = world().simulator;
		expect(world().simulator.violations()).toEqual([]);
		secrets.push({ name: 'the token', value: credentials.authToken });
		for (const { query, headers } of record.requests) {
			const authorization = String(headers.authorization);
			secrets.push(
				{ name: 'a sig', value: new URLSearchParams(query).get('sig') ?? '' },
				{ name: 'an Authorization', value: authorization },
				{ name: 'one decoded', value: Buffer.from(authorization, 'base64').toString() },
			);
		}
	});

	/** Imports an example, and activates it. */
	async function activated(file: string, filledIn: FilledIn = {}): Promise<StoredWorkflow> {
		const { n8n, credential } = world();
		const example = await readExample(file);
		const workflow = await importAndFill(n8n.rest, credential, example, filledIn);
		await n8n.rest.activate(workflow);
		return workflow;
	}

	/** The nodes that send, without the limit of one code a minute: tests do not wait that long. */
	async function withoutMinute(file: string): Promise<FilledIn> {
		const { nodes } = await readExample(file);
		const senders = nodes.filter(({ name }) => ['Send Code', 'Text Code'].includes(name));
		expect(senders).toHaveLength(2);
		return Object.fromEntries(
			senders.map(({ name, parameters }) => {
				const options = parameters.options as { limits: { rule: Array<{ per: string }> } };
				const rule = options.limits.rule.filter(({ per }) => per !== 'minute');
				expect(options.limits.rule.length - rule.length).toBe(1);
				return [name, { options: { ...options, limits: { rule } } }];
			}),
		);
	}

	/** The codes that were spoken, and the messages that were texted. */
	const spoken = () =>
		world()
			.simulator.record.requests.filter(({ operation }) => operation === 'VoiceVerify')
			.map(({ fields }) => String(fields.verifyCode));
	const texts = () =>
		world()
			.simulator.accepted()
			.filter((each): each is AcceptedMessage => each.kind === 'message');

	describe('sign-in-webhook-api', () => {
		const FILE = 'sign-in-webhook-api.json';

		interface Answer {
			status: number;
			message?: string;
			token?: string;
			resendAfterSeconds?: number;
			signedIn?: boolean;
			reason?: string;
			attemptsLeft?: number;
			to?: string;
		}

		let address: string;
		let workflow: StoredWorkflow;

		/** Puts the example at an address of its own. */
		async function opened(filledIn: FilledIn = {}) {
			const path = randomUUID();
			const stored = await activated(FILE, { 'Sign-In': { path }, ...filledIn });
			const url = `${world().n8n.url}/webhook/${path}`;
			await until('the page', async () => (await fetchAlone(url)).ok || undefined);
			return { stored, url };
		}

		beforeAll(async () => {
			({ stored: workflow, url: address } = await opened(await withoutMinute(FILE)));
		});

		async function posted(fields: Record<string, string>, inJson = true): Promise<Answer> {
			const body = inJson ? JSON.stringify(fields) : new URLSearchParams(fields);
			const type = { 'content-type': 'application/json' };
			const response = await fetchAlone(address, {
				method: 'POST',
				// What a browser says whose page n8n has put into a sandbox.
				headers: { origin: 'null', ...(inJson && type) },
				body,
			});
			expect(response.headers.get('access-control-allow-origin')).toBe('null');
			return { status: response.status, ...((await response.json()) as object) };
		}

		test('shows a page that sends to its own address', async () => {
			const html = await (await fetchAlone(address)).text();
			expect(html).toContain('fetch(location.href');
			expect(html).toContain('id="again"');
		});

		test('signs in once with the spoken code, typed as people type it', async () => {
			const { status, token = '', resendAfterSeconds } = await posted({ to: NUMBER });
			const [code] = spoken();
			expect([status, resendAfterSeconds]).toEqual([200, 60]);
			expect(code).toMatch(CODE);

			const wrong = await posted({ token, code: otherThan(code) });
			expect(wrong).toMatchObject({ status: 401, reason: 'wrong', attemptsLeft: 4 });
			expect(wrong.message).toContain('还可以试 4 次');
			for (const { id } of await world().n8n.rest.listExecutions(workflow)) {
				expect((await world().n8n.rest.ended(id)).storedText).not.toContain(code);
			}

			const typed = `${code.slice(0, 3)}-${inFullWidth(code.slice(3))} `;
			expect(await posted({ token, code: typed }, false)).toMatchObject({
				status: 200,
				signedIn: true,
				to: NUMBER,
			});
			expect(await posted({ token, code })).toMatchObject({ status: 401, reason: 'used' });
		});

		test('sends the same code again by SMS, and wrong codes count on', async () => {
			const { token = '' } = await posted({ to: NUMBER });
			const [code] = spoken();
			expect(await posted({ token, code: otherThan(code) })).toMatchObject({ attemptsLeft: 4 });

			expect(await posted({ to: NUMBER, token })).toMatchObject({ status: 200, token });
			// Ten minutes within the second in which the token was made.
			const minutes = expect.stringMatching(/^(?:9|10)$/) as string;
			expect(texts()).toEqual([
				expect.objectContaining({ to: [NUMBER], templateId: '1', datas: [code, minutes] }),
			]);
			expect(await posted({ token, code: otherThan(code, 2) })).toMatchObject({ attemptsLeft: 3 });
			expect(await posted({ token, code })).toMatchObject({ signedIn: true });
		});

		/** The example as it is, with all its limits. @returns asks for a code, and gives the status */
		async function withAllLimits() {
			const { url } = await opened();
			return async (to: string, forwarded?: string): Promise<number> => {
				const proxied: Record<string, string> =
					forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
				return (await postJson(url, { to }, proxied)).status;
			};
		}

		test('calls a number once a minute, whoever asks', async () => {
			const ask = await withAllLimits();
			expect([await ask(NUMBER), await ask(NUMBER, '203.0.113.1')]).toEqual([200, 429]);
			expect(spoken()).toHaveLength(1);
		});

		test('gives ten codes an hour to one address, as the proxy tells it', async () => {
			const ask = await withAllLimits();
			const statuses: number[] = [];
			for (let at = 0; at < 12; at++) {
				// What a visitor claims stands in front of what the proxy adds.
				statuses.push(await ask(`1380000${String(1000 + at)}`, `203.0.113.${at}, 198.51.100.7`));
			}
			expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429]);
			expect(await ask('13800001012', '198.51.100.8')).toBe(200);
		});

		test('gives no token where no code was sent, and one where it may have been', async () => {
			expect(await posted({ to: '138-0000-000' })).toMatchObject({ status: 429 });
			expect(await posted({ token: 'code.forged', code: '123456' })).toMatchObject({
				status: 401,
				reason: 'forged',
			});
			world().simulator.fail({ kind: 'reset', accept: true });
			const { token = '' } = await posted({ to: '13800000003' });
			expect(await posted({ token, code: spoken()[0] })).toMatchObject({ signedIn: true });
		});
	});

	describe('sign-in-with-n8n-forms', () => {
		/** Fills in the first page, and gives what a person does with those that follow. */
		async function begun(number: string) {
			const { n8n } = world();
			const file = 'sign-in-with-n8n-forms.json';
			const workflow = await activated(file, await withoutMinute(file));
			const { executionId: id, nextPage = '' } = await sendForm(n8n, workflow, [number]);
			return {
				id,
				/** Waits for the next page: n8n leaves a request unanswered while it runs. */
				async openPage(node: string, runs = 1) {
					const { storedText } = await n8n.rest.waiting(
						id,
						(execution) => execution.getRuns(node).length === runs,
					);
					return { html: await readPage(nextPage), storedText };
				},
				enter: async (code: string, again = '') => await sendPage(nextPage, [code, again]),
			};
		}

		const AGAIN = '短信重发';

		test('signs in after a wrong code, with the same code again by SMS', async () => {
			const { id, enter, openPage } = await begun(NUMBER);
			const asked = await openPage('Code Sent');
			const [code] = spoken();
			expect(code).toMatch(CODE);
			expect(asked.html).toContain(`验证码已发往 ${NUMBER}`);
			expect(asked.html + asked.storedText).not.toContain(code);

			await enter(otherThan(code));
			expect((await openPage('Check Code')).html).toContain('还可以输入 4 次');

			await enter('', AGAIN);
			await openPage('Code Sent', 2);
			// Ten minutes within the second in which the token was made.
			const minutes = expect.stringMatching(/^(?:9|10)$/) as string;
			expect(texts()).toEqual([
				expect.objectContaining({ to: [NUMBER], templateId: '1', datas: [code, minutes] }),
			]);

			await enter(`${code.slice(0, 3)} ${inFullWidth(code.slice(3))}`);
			expect((await openPage('Check Code', 2)).html).toContain('登录成功');
			await enter('');
			const execution = await world().n8n.rest.ended(id);
			expect(execution.error).toBeUndefined();
			expect(execution.getRuns('Check Code').map(({ data }) => data?.main?.[0]?.[0].json)).toEqual([
				expect.objectContaining({ reason: 'wrong', attemptsLeft: 4 }),
				expect.objectContaining({ reason: 'valid', to: NUMBER }),
			]);
		});

		test('calls with a new code after too many wrong ones', async () => {
			const { enter, openPage } = await begun(NUMBER);
			await openPage('Code Sent');
			const [first] = spoken();
			for (const tries of [1, 2, 3, 4, 5]) {
				await enter(otherThan(first, tries));
				await openPage('Check Code', tries);
			}
			await enter('yes');
			await openPage('Code Sent', 2);
			const [, second] = spoken();
			await enter(second);
			expect((await openPage('Check Code', 6)).html).toContain('登录成功');
			expect(texts()).toEqual([]);
		});

		test('ends where no code can be sent', async () => {
			const { openPage } = await begun('13900000000');
			expect((await openPage('Had a Code?')).html).toContain('验证码未发送');
			expect(world().simulator.record.requests).toEqual([]);
		});
	});

	// The last test, which looks for the secrets of those before it.
	test('left no token, signature or code in what n8n stored, logged and printed', async () => {
		const { n8n, simulator, credential } = world();
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
		secrets.push(...codes.map((value) => ({ name: 'a code', value })));

		// A redirect that the test of the credential followed would be a request that breaks a rule.
		const location = `${simulator.url}/elsewhere`;
		simulator.fail({ kind: 'http', status: 307, body: '', headers: { location } });
		const data = credentialData(simulator);
		const id = await rest.createCredential(CREDENTIAL_TYPE, 'Tested', data);
		const tested = await rest.testCredential(id, CREDENTIAL_TYPE, 'Tested', data);
		expect(tested.status).toBe('Error');

		expect(secrets.filter(({ value }) => value.length < 8)).toEqual([]);
		expect(secrets.length).toBeGreaterThan(3 * 20);
		// What was called in the address of a webhook is in all of them.
		const planted = { name: 'planted', value: randomUUID() };
		await fetch(`${n8n.url}/webhook/${planted.value}`, { method: 'POST' });
		await rest.createWorkflow({ ...actionWorkflow(credential, send), name: planted.value });
		const places = [
			/^planted in .*database\.sqlite/,
			/^planted in output$/,
			/^planted in .*\.log$/,
		];
		const findings = await until('the planted secret in all places', async () => {
			const found = findSecrets(await collectTraces(n8n), [...secrets, planted]);
			return places.every((place) => found.some((each) => place.test(each))) ? found : undefined;
		});
		expect(findings.filter((each) => !each.startsWith('planted'))).toEqual([]);
	});
};

describeOnEachN8n('The sign-in examples', declare, {
	env: { N8N_LOG_LEVEL: 'debug', N8N_LOG_OUTPUT: 'console,file' },
});

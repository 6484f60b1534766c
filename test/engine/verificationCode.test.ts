import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { issueCode } from '../support/verificationTokens';
import { useDeduplication } from '../support/engine/deduplication';
import { connect, execute, node, runNode, getRuns, TYPES } from '../support/engine/engine';
import type { NodeSettings } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
import { expectNoSecrets } from '../support/engine/secrets';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();
const store = useDeduplication();

afterEach(() => {
	expect(service.simulator.record.requests).toEqual([]);
});

const TO = '13800000000';
const CONTINUE: NodeSettings = { onError: 'continueRegularOutput' };
const CHECK = { verificationToken: '={{ $json.token }}', code: '={{ $json.code }}' };
/** What another operation has left behind in the options of a saved workflow. */
const LEFT_OVER: INodeParameters = {
	timeout: -1,
	maxConcurrency: 0,
	idempotencyKey: 'one',
	allowedRecipients: '139*',
	dryRun: true,
};

type Json = INodeExecutionData['json'];

const issued = (to = TO, codeLength = 6) => ({
	...issueCode(service.simulator.credentials, to, codeLength),
});

async function checked(items: Json[], options: INodeParameters = {}, settings: NodeSettings = {}) {
	const parameters = operation('verificationCode', 'check', CHECK, { ...LEFT_OVER, ...options });
	return await runNode({ parameters, items, settings, credential: service.credential() });
}

const verdict = (reason: string, attemptsLeft: number) => ({
	valid: reason === 'valid',
	reason,
	to: TO,
	attemptsLeft,
});

/** Another code, however often this is asked. */
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0');

it('checks in another workflow with the same account, once', async () => {
	const { token, code } = issued();
	const run = await checked([
		{ token, code },
		{ token, code },
		{ token, code: wrong(code) },
	]);
	expect(getJson(run)).toEqual([verdict('valid', 4), verdict('used', 0), verdict('wrong', 2)]);
	expectNoSecrets(run.run, service.simulator);
});

it('counts wrong codes over the items, and takes a number for text', async () => {
	const { token, code } = issued();
	const other = issued(TO, 8);
	const run = await checked(
		[
			{ token, code: 'é' },
			{ token, code: wrong(code) },
			{ token: other.token, code: Number(other.code) },
			{ token, code },
		],
		{ maxAttempts: 2 },
	);
	expect(getJson(run)).toEqual([
		verdict('wrong', 1),
		verdict('wrong', 0),
		verdict('valid', 1),
		verdict('tooManyAttempts', 0),
	]);
});

it('compares of many guesses in one run as many as the token permits', async () => {
	const { token, code } = issued();
	const guesses = Array.from({ length: 200 }, (_, at) => ({ token, code: wrong(code, at + 1) }));
	const reasons = getJson(await checked([...guesses, { token, code }])).map(({ reason }) => reason);
	expect(reasons.slice(0, 6)).toEqual([...Array<string>(5).fill('wrong'), 'tooManyAttempts']);
	expect(new Set(reasons.slice(5))).toEqual(new Set(['tooManyAttempts']));
});

it('runs of one node know what the runs before them took', async () => {
	const { token, code } = issued();
	const rounds = [wrong(code), code, code].map((typed) => ({ token, code: typed }));
	const run = await execute(
		[
			node('Start', TYPES.start, { items: '[{}]' }),
			node('Loop', TYPES.loop, { items: JSON.stringify(rounds) }),
			node('Yuntongxun', TYPES.action, operation('verificationCode', 'check', CHECK)),
		],
		connect(['Start', 'Loop'], ['Loop', 'Yuntongxun', 1], ['Yuntongxun', 'Loop']),
		service.credential(),
	);
	expect(getRuns(run, 'Yuntongxun').map((each) => getJson(each)[0])).toEqual([
		verdict('wrong', 4),
		verdict('valid', 3),
		verdict('used', 0),
	]);
});

it.each([
	['another token', { authToken: 'f'.repeat(32) }],
	['another id', { accountSid: 'f'.repeat(32) }],
])('calls the token of an account with %s forged', async (_what, changes) => {
	const account = { ...service.simulator.credentials, ...changes };
	const { token, code } = issueCode(account, TO);
	expect(getJson(await checked([{ token, code }]))).toEqual([{ valid: false, reason: 'forged' }]);
});

it('takes what somebody typed, also where XML could not carry it', async () => {
	const { token } = issued();
	const run = await runNode({
		parameters: operation('verificationCode', 'check', CHECK),
		items: [{ token, code: '04\u00008213' }],
		credential: service.credential({ wireFormat: 'xml' }),
	});
	expect(getJson(run)[0]).toMatchObject({ valid: false, reason: 'wrong' });
});

it('Retry On Fail gives the earlier result again, and does not use a token twice', async () => {
	const { token, code } = issued();
	const retry: NodeSettings = { ...CONTINUE, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const run = await checked(
		[
			{ token: '', code },
			{ token, code },
		],
		{},
		retry,
	);
	expect(getJson(run)[1]).toEqual(verdict('valid', 4));
});

it('says so where n8n cannot keep the use of a token, and takes it afterwards', async () => {
	const { token, code } = issued();
	store.breakIt();
	const [json] = getJson(await checked([{ token, code }], {}, CONTINUE));
	const { message, ...rest } = reportIn(json);
	expect(message).toMatch(/^n8n did not record this attempt.* database is locked \[item 0\]$/);
	expect(rest).toEqual({ statusCode: '', statusMsg: '' });
});

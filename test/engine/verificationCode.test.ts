import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { issueCode } from '../support/verificationTokens';
import { useDeduplication } from '../support/engine/deduplication';
import { connect, execute, node, runNode, getRuns, TYPES } from '../support/engine/engine';
import type { NodeSettings } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
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

it('says so where n8n cannot keep the use of a token, and takes it afterwards', async () => {
	const { token, code } = issued();
	store.breakIt();
	const [json] = getJson(await checked([{ token, code }], {}, CONTINUE));
	const { message, ...rest } = reportIn(json);
	expect(message).toMatch(/^n8n did not record this attempt.* database is locked \[item 0\]$/);
	expect(rest).toEqual({ statusCode: '', statusMsg: '' });
});

import { YuntongxunApi } from '../../../credentials/YuntongxunApi.credentials';
import { buildCredentialTestRules } from '../../../nodes/Yuntongxun/client/credentialTestRules';
import { CREDENTIAL_CODES, describeStatusCode } from '../../../nodes/Yuntongxun/client/statusCodes';

type Answer = { [member: string]: unknown } | string | null | undefined;

const rules = () => buildCredentialTestRules().map(({ properties }) => properties);

/** The member that a rule looks at, as n8n finds it. */
const memberAt = (answer: Answer, path: string) =>
	path
		.split('.')
		.reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], answer);

/** The message n8n shows: of the first rule that fits, none for a success. */
const verdictOn = (answer: Answer) =>
	rules().find(({ key, value }) => memberAt(answer, key) === value)?.message;

const account = (members: Record<string, unknown> = {}) => ({
	statusCode: '000000',
	Account: { friendlyName: 'owner@example.com', type: '1', status: '1', ...members },
});

it('an activated account passes', () => {
	expect(verdictOn(account())).toBeUndefined();
	expect(verdictOn(account({ type: '0', balance: '0' }))).toBeUndefined();
});

it.each([...CREDENTIAL_CODES.keys()])(
	'the code %s is named, with its meaning and what to do',
	(code) => {
		const message = verdictOn({ statusCode: code, statusMsg: '【账号】' });
		expect(message).toContain(`(code ${code})`);
		expect(message).toContain(describeStatusCode(code)?.summary);
		expect(message).toContain(describeStatusCode(code)?.remedy);
	},
);

it.each(['0', '2', '3', '4', '9', '-1', ''])('an account in state %j does not pass', (status) => {
	expect(verdictOn(account({ status }))).toMatch(/is not active/);
});

it.each<[string, Answer]>([
	['an unknown code', { statusCode: '199999', statusMsg: 'x' }],
	['HTML', '<html><body>Welcome</body></html>'],
	['null', null],
	['no account', { statusCode: '000000' }],
	['an account without a name', { statusCode: '000000', Account: { status: '1' } }],
	['an account without a state', { statusCode: '000000', Account: { friendlyName: 'a' } }],
	['an account without a code', { Account: { friendlyName: 'a', status: '1' } }],
])('%s does not pass, without a reason of its own', (_what, answer) => {
	expect(verdictOn(answer)).toMatch(/^The service does not confirm this account\./);
});

it('the test follows no redirect, which would hand the signature to another host', () => {
	expect(new YuntongxunApi().test.request).toMatchObject({ disableFollowRedirect: true });
});

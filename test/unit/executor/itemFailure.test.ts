import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { itemFailure } from '../../../nodes/Yuntongxun/executor/itemFailure';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import type { FailureFacts } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { nodeOf } from '../support/execution';

const REFUSED = { happened: 'It was refused', advice: 'Wait.', statusCode: '160040' };
const refusal = (facts: Partial<FailureFacts>) =>
	new ServiceFailure({ ...REFUSED, statusMsg: '', ...facts });
const failureOf = (thrown: unknown, about: Partial<Parameters<typeof itemFailure>[2]> = {}) =>
	itemFailure(nodeOf(), thrown, { index: 3, changes: true, sent: true, ...about });

it.each([
	['no', false],
	['unknown', true],
	['yes', true],
	['partly', true],
] as const)('accepted %s: may have happened is %j', (accepted, mayHaveHappened) => {
	const thrown = refusal({ accepted });
	expect(failureOf(thrown)).toMatchObject({ mayHaveHappened, report: { accepted } });
	expect(failureOf(thrown, { changes: false }).mayHaveHappened).toBe(false);
	expect(failureOf(thrown, { changes: false }).report).not.toHaveProperty('accepted');
});

it('a failure of the service is an API error with its code and words, escaped', () => {
	const statusMsg = `<a href="x">&'引号'</a>`;
	const { error, report } = failureOf(refusal({ statusMsg, accepted: 'no' }), { to: '1,2' });
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'It was refused (code 160040). Wait. [item 3]',
		description: 'Yuntongxun says: &lt;a href=&quot;x&quot;&gt;&amp;&#39;引号&#39;&lt;/a&gt;',
		httpCode: '160040',
		context: { itemIndex: 3 },
	});
	expect(report).toEqual({
		message: 'It was refused (code 160040). Wait. [item 3]',
		statusCode: '160040',
		statusMsg,
		accepted: 'no',
		to: '1,2',
	});
});

it.each([
	['a form', new ValidationError('Not so'), false, 'Not so [item 3]', 'no'],
	['something unforeseen', new Error('boom'), true, 'boom [item 3]', 'unknown'],
	['what is no error', 'boom', true, 'Something unforeseen happened [item 3]', 'unknown'],
])('%s is an operation error', (_what, thrown, sent, message, accepted) => {
	const { error, report, mayHaveHappened } = failureOf(thrown, { sent });
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({ message, context: { itemIndex: 3 } });
	expect(report).toEqual({ message, statusCode: '', statusMsg: '', accepted });
	expect(mayHaveHappened).toBe(accepted === 'unknown');
});

it('what was accepted of several requests is its receipts', () => {
	const accepted = { accepted: 'yes', statusCode: '000000', smsMessageSid: 'a', to: '1' };
	const messages = [
		accepted,
		{ accepted: 'no', statusCode: '160040', smsMessageSid: '', to: '2' },
		{ accepted: 'yes', to: 'without a code' },
	];
	const { report, receipts } = failureOf(refusal({ accepted: 'partly', messages }));
	expect(report.messages).toEqual(messages);
	expect(receipts).toEqual([{ statusCode: '000000', to: '1', smsMessageSid: 'a' }]);
});

import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	adviseOnKey,
	findFacts,
	toErrorJson,
	toNodeError,
} from '../../../nodes/Yuntongxun/executor/errors';
import type { ItemFailure } from '../../../nodes/Yuntongxun/executor/errors';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { ValidationError } from '../../../nodes/Yuntongxun/operation/validationError';
import type { FailedStatus } from '../../../nodes/Yuntongxun/executor/model';
import { buildItem, buildTaskItem, call, failed, failure, UNKNOWN } from '../../support/messages';
import { buildNode } from '../../support/fakeN8n';

/** An item that failed by what was thrown. */
function buildFailure(
	index: number,
	thrown: unknown,
	changes: Partial<ItemFailure> = {},
): ItemFailure {
	const isFromService = thrown instanceof ServiceFailure;
	return { index, facts: findFacts(thrown), isFromService, ...changes };
}

it('a failure of the service is an API error: what happened, then what to do and its words, escaped', () => {
	const statusMsg = `<a href="x">&'引号'</a>`;
	const thrown = failure({ statusMsg, remedy: 'Wait.' });
	const report = { items: [] };
	const error = toNodeError(buildNode(), buildFailure(3, thrown), { byAgent: false, report });
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'It was refused (code 160040) [item 3]',
		description: 'Wait. Yuntongxun says: &lt;a href=&quot;x&quot;&gt;&amp;&#39;引号&#39;&lt;/a&gt;',
		httpCode: '160040',
		context: { itemIndex: 3, data: report },
	});
	const more = { leftOut: [] };
	expect(toErrorJson(buildFailure(3, thrown, { accepted: 'no', to: '1,2', more }))).toEqual({
		message: 'It was refused (code 160040). Wait. [item 3]',
		statusCode: '160040',
		statusMsg,
		accepted: 'no',
		to: '1,2',
		leftOut: [],
	});
});

it.each([
	['a form', new ValidationError('Not so'), 'Not so [item 3]'],
	['something unforeseen', new Error('boom'), 'boom [item 3]'],
	[
		'a broken database, whose words n8n would replace the message by,',
		new Error('It was not sent. Database message: connect ECONNREFUSED 127.0.0.1:5432'),
		'It was not sent. Database message: connect ECONNREFUSED 127.0.0.1:5432 [item 3]',
	],
	['what is no error', 'boom', 'Something unexpected happened [item 3]'],
])('%s is an operation error', (_what, thrown, message) => {
	const error = toNodeError(buildNode(), buildFailure(3, thrown), { byAgent: false });
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({ message, description: undefined, context: { itemIndex: 3 } });
	expect(toErrorJson(buildFailure(3, thrown))).toStrictEqual({
		message,
		statusCode: '',
		statusMsg: '',
	});
});

it('the message tells an AI agent, which may see nothing else, what to do, and only once', () => {
	const node = buildNode({ type: 'n8n-nodes-yuntongxun.yuntongxunTool' });
	const thrown = failure({ remedy: 'Wait.', statusMsg: '超限' });
	const { message, description } = toNodeError(node, buildFailure(0, thrown), {
		byAgent: true,
		warning: 'Stop.',
	});
	expect([message, description]).toEqual([
		'It was refused (code 160040). Wait. Stop. [item 0]',
		'Yuntongxun says: 超限',
	]);
});

it('an ID is called used only where a message that has one was perhaps accepted', () => {
	const unclear = failed(UNKNOWN) as FailedStatus;
	const withId = buildItem(0, call(['1']), { key: 'k' });
	expect(adviseOnKey(withId, unclear)).toMatch(/counts as used/);
	expect(adviseOnKey(withId, failed(failure()) as FailedStatus)).toBe('');
	expect(adviseOnKey(buildItem(0, call(['1'])), unclear)).toBe('');
	expect(adviseOnKey(buildTaskItem(unclear), unclear)).toBe('');
});

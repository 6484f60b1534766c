import { buildQuestion, parseAnswer } from '../../../nodes/Yuntongxun/callbacks/triggerQuestion';
import { openUrl } from '../../support/sealing';

const ACCOUNT = { accountSid: 'made-up', authToken: 'made-up-token' };

it('A question shows no id of the workflow and no token', () => {
	const url = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
	const trigger = { workflowId: 'secretWorkflow', nodeId: 'secretNode', name: 'T', url };
	const { address, body, nonce } = buildQuestion(trigger, ACCOUNT);
	expect(address).toMatch(
		/^https:\/\/n8n\.example\.com\/webhook\/4f9c\/yuntongxun\?yt=ask\.[\w-]+$/,
	);
	expect(`${address}${body}`).not.toMatch(/secret|made-up/);
	const { payload } = openUrl(address, ACCOUNT);
	expect(JSON.parse(payload.toString())).toEqual(['secretWorkflow', 'secretNode', nonce]);
});

describe('An answer', () => {
	const question = { address: '', body: '', nonce: 'n1' };

	it.each<[string, string, object | undefined]>([
		[
			'that lacks everything is that of a trigger that does not fit',
			'{"ytAnswer":"n1"}',
			{ events: [], isAsked: false },
		],
		[
			'with other types is that of a trigger that does not fit',
			'{"ytAnswer":"n1","events":"voiceNotification","isAsked":"true"}',
			{ events: [], isAsked: false },
		],
		['to another question is none', '{"ytAnswer":"other"}', undefined],
		['that is a log-in page is none', '<html>Log in</html>', undefined],
		['that holds nothing is none', 'null', undefined],
	])('%s', (_what, text, answer) => {
		expect(parseAnswer(text, question)).toEqual(answer);
	});
});

import { runNode } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();

const ask = async (callSid: string, account = {}) =>
	getJson(
		await runNode({
			parameters: operation('call', 'getResult', { callSid }),
			settings: { onError: 'continueRegularOutput' },
			credential: service.credential(account),
		}),
	)[0];

const answerWith = (contentType: string, body: string) =>
	service.simulator.fail({ kind: 'http', contentType, body });
const inJson = (members: object) =>
	answerWith('application/json', JSON.stringify({ statusCode: '000000', ...members }));
const inXml = (inner: string) =>
	answerWith(
		'application/xml',
		`<?xml version="1.0"?><Response><statusCode>000000</statusCode>${inner}</Response>`,
	);

describe('Call: Get Result', () => {
	it('does not know the outcome of an empty result, in either format alike', async () => {
		const unknown = { statusCode: '000000', state: '', outcome: 'unknown', answered: false };
		for (const answer of [
			() => inJson({ CallResult: {} }),
			() => inJson({ CallResult: '' }),
			() => inJson({ CallResult: { state: '' } }),
			() => inXml('<CallResult/>'),
			() => inXml('<CallResult><state></state></CallResult>'),
		]) {
			answer();
			expect(await ask('1')).toMatchObject(unknown);
		}
	});

	it('fails if the answer has no result', async () => {
		for (const answer of [
			() => inJson({}),
			() => inJson({ CallResult: null }),
			() => inJson({ state: '0', callTime: '30' }),
			() => inXml(''),
			() => inXml('<state>0</state>'),
		]) {
			answer();
			const report = reportIn(await ask('1'));
			expect(report.message).toMatch(/its answer lacks the result .*safe to run it again/);
			expect(report).not.toHaveProperty('accepted');
		}
	});
});

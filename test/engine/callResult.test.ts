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

const place = async (to: string): Promise<string> => {
	const parameters = operation('call', 'notify', { to, mediaTxt: 'Hello' });
	const [call] = getJson(await runNode({ parameters, credential: service.credential() }));
	return String(call.callSid);
};

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
	it.each([
		['13800000000', { state: '0', outcome: 'completed', answered: true, durationSeconds: 30 }],
		['13800000001', { state: '1', outcome: 'noAnswer', answered: false, durationSeconds: 0 }],
		['13800000002', { state: '2', outcome: 'failed', answered: false, durationSeconds: 0 }],
		['13800000003', { state: '0', outcome: 'completed', answered: false, durationSeconds: 0 }],
		['13800000005', { state: '', outcome: 'unknown', answered: false, durationSeconds: 0 }],
		['13800000009', { state: '9', outcome: 'unknown', answered: false, durationSeconds: 0 }],
	])('tells how a call to %s ended, in both formats, as text or number', async (to, want) => {
		service.simulator.configure({ callResultDelayMs: 0 });
		const callSid = await place(to);
		for (const wireFormat of ['json', 'xml']) {
			for (const callResultValues of ['text', 'number'] as const) {
				service.simulator.configure({ callResultValues });
				expect(await ask(callSid, { wireFormat })).toMatchObject({ callSid, ...want });
			}
		}
		expect(service.simulator.violations()).toEqual([]);
	});

	it('asks with GET, the ID in the query, and signs that too', async () => {
		const callSid = await place('13800000000');
		await ask(callSid);
		const request = service.simulator.record.requests.at(-1);
		expect(request).toMatchObject({ method: 'GET', body: '', operation: 'CallResult' });
		expect(request?.query.split('&').sort()).toEqual([
			`callsid=${callSid}`,
			expect.stringMatching(/^sig=[0-9A-F]{32}$/),
		]);
	});

	it('has no seconds if the call time is not a number', async () => {
		inJson({ CallResult: { state: '0', callTime: 'long' } });
		expect(await ask('1')).toMatchObject({ callTime: 'long', durationSeconds: null });
	});

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

	it('fails as the service does for a call that it does not know', async () => {
		expect(reportIn(await ask('42'))).toMatchObject({ statusCode: '111000' });
	});
});

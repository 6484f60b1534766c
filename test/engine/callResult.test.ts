import { CONTINUE } from '../support/engine';
import { getJson, operation, readReport } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();

/** What the node makes of one answer to the question for the result of a call. */
async function readAnswer(contentType: string, body: string) {
	service.simulator.fail({ kind: 'http', contentType, body });
	const parameters = operation('call', 'getResult', { callSid: '1' });
	return getJson(await service.run(parameters, { settings: CONTINUE }))[0];
}

const inJson = async (members: object) =>
	await readAnswer('application/json', JSON.stringify({ statusCode: '000000', ...members }));
const inXml = async (inner: string) =>
	await readAnswer(
		'application/xml',
		`<?xml version="1.0"?><Response><statusCode>000000</statusCode>${inner}</Response>`,
	);

describe('Call: Get Result', () => {
	it.each([
		['JSON', async () => await inJson({ CallResult: {} })],
		['JSON, as a text', async () => await inJson({ CallResult: '' })],
		['XML', async () => await inXml('<CallResult/>')],
	])('does not know the outcome of an empty result in %s', async (_format, read) => {
		const unknown = { statusCode: '000000', state: '', outcome: 'unknown', answered: false };
		expect(await read()).toMatchObject(unknown);
	});

	it.each([
		['JSON', async () => await inJson({ state: '0', callTime: '30' })],
		['JSON, which is null', async () => await inJson({ CallResult: null })],
		['XML', async () => await inXml('<state>0</state>')],
	])('fails if the answer has no result in %s', async (_format, read) => {
		const report = readReport(await read());
		expect(report.message).toMatch(/its answer lacks the result .*safe to run it again/);
		expect(report).not.toHaveProperty('accepted');
	});
});

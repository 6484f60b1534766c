import { startSimulator, type Simulator } from '../../simulator';
import { goodFields, NOW, request, send, type Fields } from './client';

let simulator: Simulator;
beforeAll(async () => {
	simulator = await startSimulator({ now: () => NOW, consolePort: 0 });
});
afterAll(async () => await simulator.stop());
beforeEach(() => simulator.reset());

const place = async (operation: string, fields: Fields = {}) => {
	const all = { ...goodFields(simulator.credentials.appId)[operation], ...fields };
	return await send(simulator, request(simulator.credentials, operation, all));
};

const record = async (after = 0): Promise<string> =>
	await (await fetch(`${simulator.consoleUrl}_simulator/record?after=${after}`)).text();

it('gives everything first, and later only what changed', async () => {
	await place('VoiceVerify', { playTimes: '9' });
	await place('TemplateSMS');
	const first = JSON.parse(await record()) as { revision: number };
	expect(first).toMatchObject({
		totals: { requests: 2, violations: 1 },
		requests: [{ sequence: 1 }, { sequence: 2, answer: { statusCode: '000000' } }],
		accepted: [{ kind: 'message' }],
		violations: [{ rule: 'field:playTimes', request: 1 }],
	});
	await place('TemplateSMS');
	expect(JSON.parse(await record(first.revision))).toMatchObject({
		totals: { requests: 3 },
		requests: [{ sequence: 3 }],
	});
});

it('never shows a token', async () => {
	const { authToken } = simulator.credentials;
	await place('VoiceVerify', { userData: authToken });
	const shown = await record();
	expect(shown).toContain('[token]');
	expect(shown).not.toContain(authToken);
});

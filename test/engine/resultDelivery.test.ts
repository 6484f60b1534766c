import type { INode, INodeParameters } from 'n8n-workflow';

import { connect, CONTINUE, execute, getRuns, node, TYPES } from '../support/engine';
import type { Circumstances } from '../support/engine';
import { EXAMPLE_NUMBER } from '../support/exampleForms';
import { getJson, operation } from '../support/expectations';
import { openResumeAddress, openUrl } from '../support/sealing';
import { useSimulator } from '../support/simulator';

// How a wait goes on: test/unit/waiting, and test/n8n/wait.test.ts with what n8n stores.

const service = useSimulator();
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

const TRIGGER_URL = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const ENTERED_URL =
	'https://n8n.example.com/webhook/3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001/yuntongxun?a=1%202&b=c+d';

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: EXAMPLE_NUMBER, mediaTxt: 'Hello', ...parameters }, options);

const TRIGGER: INode = { ...node('Trigger', TYPES.trigger), webhookId: '4f9c' };
const IN_PRODUCTION: Circumstances = { mode: 'webhook', triggers: [TRIGGER] };

/** The address for the result of the only call. */
function respUrl(): string {
	const [call, ...more] = service.simulator.accepted();
	if (call?.kind !== 'call' || more.length > 0) throw new Error('Not one call');
	return call.respUrl ?? 'none';
}

/** Opens the token of an address: its purpose, and the address without it. */
function opened(url: string, lifetimeSeconds: number): string[] {
	const { purpose, expires } = openUrl(url, service.simulator.credentials);
	const lifetime = expires - Date.now() / 1000;
	expect(Math.abs(lifetime - lifetimeSeconds)).toBeLessThan(5 * MINUTE);
	return [purpose, url.replace(/[?&]yt=.*/, '')];
}

it('a call that waits parks the execution, and gives the service an address of the trigger with what it takes to resume', async () => {
	const form = notify({ resultDelivery: 'wait', waitLimit: '={{ 5 }}' });
	const { run: whole, error } = await service.run(form, { circumstances: IN_PRODUCTION });
	expect([error, whole.status]).toEqual([undefined, 'waiting']);
	const left = new Date(whole.waitTill ?? 0).getTime() - Date.now();
	expect(Math.abs(left / 1000 - 7.5 * MINUTE)).toBeLessThan(MINUTE);
	expect(opened(respUrl(), DAY + 5 * MINUTE)).toEqual(['wait', TRIGGER_URL]);
	const { resumeToken } = whole.data as { resumeToken?: string };
	expect(openResumeAddress(respUrl(), service.simulator.credentials)).toMatch(
		new RegExp(`^1/yuntongxun-result\\?signature=${resumeToken}&ytWait=[\\w-]{22}$`),
	);
	expect(service.simulator.violations()).toEqual([]);
});

it.each<[string, INodeParameters, string]>([
	['of the trigger in the workflow', { resultDelivery: 'trigger' }, TRIGGER_URL],
	['of a trigger that is entered', { resultDelivery: 'url', respUrl: ENTERED_URL }, ENTERED_URL],
])('the address %s gets a token for a day, and keeps its query', async (_, form, url) => {
	const { error } = await service.run(notify(form), { circumstances: IN_PRODUCTION });
	expect(error).toBeUndefined();
	expect(opened(respUrl(), DAY)).toEqual(['start', url]);
	expect(service.simulator.violations()).toEqual([]);
});

it('a call that would start its trigger again is refused in a run started by a result', async () => {
	const run = async (event: string) => {
		const results = JSON.stringify([{ event, number: '13800000015' }]);
		const nodes = [
			node('Start', TYPES.start, { items: results }),
			node('Yuntongxun', TYPES.action, notify({ resultDelivery: 'trigger' })),
		];
		const connections = connect(['Start', TRIGGER.name], [TRIGGER.name, 'Yuntongxun']);
		const whole = await execute(nodes, connections, service.credential(), IN_PRODUCTION);
		return getRuns(whole, 'Yuntongxun')[0].error?.message;
	};
	expect(await run('voiceNotification')).toMatch(/^The result of a call has started this/);
	expect(service.simulator.record.requests).toEqual([]);
	expect(await run('smsReply')).toBeUndefined();
	expect(service.simulator.accepted()).toHaveLength(1);
});

const NUMBERS = [1, 2, 3].map((at) => `138000000${at}5`);
const EACH = { to: '={{ $json.to }}', resultDelivery: 'wait' };

/** Has the service refuse the next call. */
const refuse = () => service.simulator.fail({ kind: 'statusCode', statusCode: '111142' });

it('without Continue, a refused call ends a run of several, and nothing waits', async () => {
	refuse();
	const items = NUMBERS.map((to) => ({ to }));
	const { run } = await service.run(notify(EACH), { items, circumstances: IN_PRODUCTION });
	expect([run.status, Boolean(run.waitTill)]).toEqual(['error', false]);
});

it.each([2, 3, 5])(
	'with Retry On Fail and Continue, the last of %i tries parks even if the first item failed',
	async (maxTries) => {
		refuse();
		const run = await service.run(notify(EACH, { requestsPerSecond: 10 }), {
			items: ['nonsense', ...NUMBERS].map((to) => ({ to })),
			settings: { ...CONTINUE, retryOnFail: true, maxTries, waitBetweenTries: 1 },
			circumstances: IN_PRODUCTION,
		});
		expect(run.run.status).toBe('waiting');
		const pending = NUMBERS.map((to) => ({ to, outcome: 'pending' }));
		expect(getJson(run)).toMatchObject([{ error: {} }, ...pending]);
		// The one that the service refused is placed by the second try; nothing is placed twice.
		const placed = service.simulator.accepted().map((each) => each.kind === 'call' && each.to);
		expect(placed).toEqual([NUMBERS[1], NUMBERS[2], NUMBERS[0]]);
	},
);

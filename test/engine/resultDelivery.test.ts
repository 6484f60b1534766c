import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { connect, execute, getRuns, node, TYPES } from '../support/engine';
import type { Circumstances } from '../support/engine';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';
import { openResumeAddress, openUrl } from '../support/sealing';

const service = useSimulator();
const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

/** No result ever comes for a call to a number that ends in 5. */
const NUMBER = '13800000005';
const TRIGGER_URL = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const ENTERED_URL =
	'https://n8n.example.com/webhook/3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001/yuntongxun?a=1%202&b=c+d';

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);

const TRIGGER: INode = { ...node('Trigger', TYPES.trigger), webhookId: '4f9c' };
const IN_PRODUCTION: Circumstances = { mode: 'webhook', triggers: [TRIGGER] };

/** The address for the result of the only call. */
function respUrl(): string {
	const calls = service.simulator.accepted().filter((each) => each.kind === 'call');
	if (calls.length !== 1) throw new Error(`Not one call but ${calls.length}`);
	return calls[0].respUrl ?? 'none';
}

/** Opens the token of an address: its purpose, and the address without it. */
function opened(url: string, lifetimeSeconds: number): string[] {
	const { purpose, expires } = openUrl(url, service.simulator.credentials);
	const lifetime = expires - Date.now() / 1000;
	expect(Math.abs(lifetime - lifetimeSeconds)).toBeLessThan(5 * MINUTE);
	return [purpose, url.replace(/[?&]yt=.*/, '')];
}

describe('a call that waits for its result', () => {
	it('parks the execution, and gives the service an address of the trigger with what it takes to resume', async () => {
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

	it('parks nothing in a dry run, which shows no secret', async () => {
		const parameters = notify({ resultDelivery: 'wait' }, { dryRun: true });
		const result = await service.run(parameters, { circumstances: IN_PRODUCTION });
		expect(result.run.waitTill).toBeFalsy();
		const [{ request }] = getJson(result) as Array<{ request: { respUrl: string } }>;
		expect(request.respUrl).toBe(TRIGGER_URL);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it('is not placed in a workflow without a trigger', async () => {
		const { error } = await service.run(notify({ resultDelivery: 'wait' }));
		expect(error?.message).toMatch(/^This workflow has no Yuntongxun Trigger/);
		expect(service.simulator.record.requests).toEqual([]);
	});
});

it.each<[string, IDataObject, string]>([
	['of the trigger in the workflow', { resultDelivery: 'trigger' }, TRIGGER_URL],
	['of a trigger that is entered', { resultDelivery: 'url', respUrl: ENTERED_URL }, ENTERED_URL],
])('the address %s gets a token for a day, and keeps its query', async (_, form, url) => {
	const parameters = notify(form as INodeParameters);
	const { error } = await service.run(parameters, { circumstances: IN_PRODUCTION });
	expect(error).toBeUndefined();
	expect(opened(respUrl(), DAY)).toEqual(['start', url]);
	expect(service.simulator.violations()).toEqual([]);
});

it('a call that starts its trigger again is not placed where a result has started the run', async () => {
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

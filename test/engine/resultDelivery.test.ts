import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { connect, execute, getRuns, node, TYPES } from '../support/engine/engine';
import type { Circumstances, StoredCredential } from '../support/engine/engine';
import { getJson, operation } from '../support/engine/expectations';
import { useOwnN8n } from '../support/engine/ownN8n';
import { useSimulator } from '../support/engine/simulator';
import { openUrl } from '../support/sealing';

const service = useSimulator();
const n8n = useOwnN8n();
const HOUR = 60 * 60;

/** No result ever comes for a call to a number that ends in 5. */
const NUMBER = '13800000005';
const TRIGGER_URL =
	'https://n8n.example.com/webhook/3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001/yuntongxun';

const notify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'notify', { to: NUMBER, mediaTxt: 'Hello', ...parameters }, options);

const triggerNode = (id: string, parameters: INodeParameters = {}): INode => ({
	...node(id, TYPES.trigger, { events: ['voiceVerification', 'voiceNotification'], ...parameters }),
	webhookId: id,
});

let workflows = 0;

/** A workflow on an n8n that answers at its own address, with triggers that are active or not. */
function workflowWith(
	triggers: INode[],
	{ active = triggers, credential = service.credential(), ...more }: WorkflowTest = {},
): Circumstances {
	const workflowId = `delivery-${++workflows}`;
	for (const each of active) n8n.activate({ node: each, workflowId, credential });
	return { mode: 'webhook', n8nUrl: n8n.url, workflowId, triggers, ...more };
}

type WorkflowTest = Circumstances & { active?: INode[]; credential?: StoredCredential };

const webhookAddress = (webhookId: string) => `${n8n.url}/webhook/${webhookId}/yuntongxun`;

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
	expect(Math.abs(lifetime - lifetimeSeconds)).toBeLessThan(5 * 60);
	return [purpose, url.replace(/[?&]yt=.*/, '')];
}

describe('a call that waits for its result', () => {
	it('parks the execution for as long as it says, and gives the address of n8n to the service', async () => {
		const limit = { waitLimit: '={{ 5 }}', waitLimitUnit: 'minutes' };
		const { run: whole, error } = await service.run(notify({ resultDelivery: 'wait', ...limit }));
		expect(error).toBeUndefined();
		expect(whole.status).toBe('waiting');
		const until = new Date(whole.waitTill ?? 0).getTime();
		expect(Math.abs(until - Date.now() - 5 * 60_000)).toBeLessThan(60_000);
		const { resumeToken } = whole.data as { resumeToken?: string };
		const [address, secret] = respUrl().split('&ytWait=');
		expect(address).toBe(
			`https://n8n.example.com/webhook-waiting/1/yuntongxun-result?signature=${resumeToken}`,
		);
		expect(secret).toMatch(/^[\w-]{22}$/);
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each<[string, INode[], string]>([
		['directly', [], '/webhook-waiting/1/yuntongxun-result'],
		['through the trigger', [triggerNode('4f9c')], '/webhook/4f9c/yuntongxun'],
	])('parks nothing in a dry run, which shows no secret: %s', async (_, triggers, address) => {
		const circumstances = workflowWith(triggers);
		const parameters = notify({ resultDelivery: 'wait' }, { dryRun: true });
		const result = await service.run(parameters, { circumstances });
		expect(result.run.waitTill).toBeFalsy();
		const [{ request }] = getJson(result) as Array<{ request: { respUrl: string } }>;
		expect(request.respUrl).toBe(n8n.url + address);
		expect(service.simulator.record.requests).toEqual([]);
	});
});

it('the address of a trigger that is entered gets a token for a day, and keeps its query', async () => {
	const entered = `${TRIGGER_URL}?a=1%202&b=c+d`;
	const form = { resultDelivery: 'url', respUrl: entered };
	const { error } = await service.run(notify(form));
	expect(error).toBeUndefined();
	expect(opened(respUrl(), 24 * HOUR)).toEqual(['start', entered]);
	expect(service.simulator.violations()).toEqual([]);
});

describe('The trigger is asked before the first call', () => {
	const WAIT = { resultDelivery: 'wait' };
	const TO_TRIGGER = { resultDelivery: 'trigger' };
	const OTHER = { accountSid: 'other', authToken: 'other' };

	it.each<[string, IDataObject, 'relayed' | 'directly']>([
		['has the account', {}, 'relayed'],
		['has another account', OTHER, 'directly'],
	])('the result comes where it %s', async (_, changes, way) => {
		const credential = service.credential(changes as never);
		const circumstances = workflowWith([triggerNode('4f9c')], { credential });
		await service.run(notify(WAIT), { circumstances });
		expect(respUrl().includes('?yt=wait.') ? 'relayed' : 'directly').toBe(way);
		service.simulator.reset();
		const { error } = await service.run(notify(TO_TRIGGER), { circumstances });
		if (way === 'directly') {
			expect(`${error?.message} ${error?.description}`).toMatch(/same credential in both nodes/);
		} else {
			expect(opened(respUrl(), 24 * HOUR)).toEqual(['start', webhookAddress('4f9c')]);
		}
	});
});

it('a call that starts its trigger again for the number that has started it is not placed', async () => {
	const trigger = triggerNode('4f9c');
	const circumstances = workflowWith([trigger]);
	const run = async (number: string) => {
		const results = JSON.stringify([{ event: 'voiceNotification', number }]);
		const nodes = [
			node('Start', TYPES.start, { items: results }),
			node('Yuntongxun', TYPES.action, notify({ resultDelivery: 'trigger' })),
		];
		const connections = connect(['Start', trigger.name], [trigger.name, 'Yuntongxun']);
		const whole = await execute(nodes, connections, service.credential(), circumstances);
		return getRuns(whole, 'Yuntongxun')[0].error?.message;
	};
	expect(await run(NUMBER)).toMatch(/^The result of a call to this number has just started/);
	expect(service.simulator.record.requests).toEqual([]);
	expect(await run('13800000015')).toBeUndefined();
	expect(service.simulator.accepted()).toHaveLength(1);
});

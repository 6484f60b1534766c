import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { node, TYPES } from '../support/engine/engine';
import type { Circumstances, StoredCredential } from '../support/engine/engine';
import { getJson, operation } from '../support/engine/expectations';
import { useOwnN8n } from '../support/engine/ownN8n';
import { useSimulator } from '../support/engine/simulator';
import { signedUrl } from '../support/signing';

const service = useSimulator();
const n8n = useOwnN8n();
const HOUR = 60 * 60;

/** No result ever comes for a call to a number that ends in 5. */
const NUMBER = '13800000005';
const TRIGGER_URL = 'https://n8n.example.com/webhook/4f9c/yuntongxun';
const SIGNED = /[?&]ytExpires=(\d+)&ytSignature=([0-9a-f]{64})$/;

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

/** Checks a signed address against the contract, and gives it without expiry and signature. */
function unsigned(url: string, lifetimeSeconds: number): string {
	const [, expires = ''] = SIGNED.exec(url) ?? [];
	const lifetime = Number(expires) - Date.now() / 1000;
	expect(Math.abs(lifetime - lifetimeSeconds)).toBeLessThan(5 * 60);
	const bare = url.replace(SIGNED, '');
	expect(signedUrl(bare, service.simulator.credentials, Number(expires))).toBe(url);
	return bare;
}

describe('a call that waits for its result', () => {
	it.each<[string, INodeParameters, number]>([
		['ten minutes, as it is at first', {}, 600],
		['as long as an expression says', { waitLimit: '={{ 5 }}', waitLimitUnit: 'minutes' }, 300],
	])('parks the execution for %s, and signs the address of n8n for ten more', async (...row) => {
		const [, limit, wait] = row;
		const { run: whole, error } = await service.run(notify({ resultDelivery: 'wait', ...limit }));
		expect(error).toBeUndefined();
		expect(whole.status).toBe('waiting');
		const until = new Date(whole.waitTill ?? 0).getTime();
		expect(Math.abs(until - Date.now() - wait * 1000)).toBeLessThan(60_000);
		const { resumeToken } = whole.data as { resumeToken?: string };
		const [address, id] = unsigned(respUrl(), wait + 600).split('&ytWait=');
		expect(address).toBe(
			`https://n8n.example.com/webhook-waiting/1/yuntongxun-result?signature=${resumeToken}`,
		);
		expect(id).toMatch(/^[\w-]{12}$/);
		expect(service.simulator.violations()).toEqual([]);
	});

	it.each<[string, INode[], string]>([
		['directly', [], '/webhook-waiting/1/yuntongxun-result?ytWait='],
		['through the trigger', [triggerNode('4f9c')], '/webhook/4f9c/yuntongxun'],
	])('parks nothing in a dry run, which shows no signature: %s', async (_, triggers, address) => {
		const circumstances = workflowWith(triggers);
		const parameters = notify({ resultDelivery: 'wait' }, { dryRun: true });
		const result = await service.run(parameters, { circumstances });
		expect(result.run.waitTill).toBeFalsy();
		const [{ request }] = getJson(result) as Array<{ request: { respUrl: string } }>;
		expect(request.respUrl.startsWith(n8n.url + address)).toBe(true);
		expect(request.respUrl).not.toMatch(/signature/i);
		expect(service.simulator.record.requests).toEqual([]);
	});
});

it('the signature of a URL is good for 24 hours, and keeps its query', async () => {
	const entered = `${TRIGGER_URL}?a=1%202&b=c+d`;
	const form = { resultDelivery: 'url', respUrl: entered };
	const { error } = await service.run(notify(form, { signRespUrl: true }));
	expect(error).toBeUndefined();
	expect(unsigned(respUrl(), 24 * HOUR)).toBe(entered);
	expect(service.simulator.violations()).toEqual([]);
});

describe('The trigger is asked before the first call', () => {
	const WAIT = { resultDelivery: 'wait' };
	const TO_TRIGGER = { resultDelivery: 'trigger' };
	const OTHER = { accountSid: 'other', authToken: 'other' };

	it('a call that starts a trigger is refused where another workflow has its copy', async () => {
		const circumstances = workflowWith([triggerNode('4f9c')], { active: [] });
		n8n.activate({ node: triggerNode('4f9c'), workflowId: 'the first' });
		const { error } = await service.run(notify(TO_TRIGGER), { circumstances });
		expect(`${error?.message} ${error?.description}`).toMatch(/another workflow.*add a new one/i);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it.each<[string, INodeParameters, IDataObject, 'relayed' | 'directly']>([
		['has the account, and requires signatures', { requireSignedUrl: true }, {}, 'relayed'],
		['has another account', {}, OTHER, 'directly'],
		['has no usable account', {}, { authToken: '' }, 'directly'],
	])('the result comes where it %s', async (_, options, changes, way) => {
		const credential = service.credential(changes as never);
		const circumstances = workflowWith([triggerNode('4f9c', { options })], { credential });
		await service.run(notify(TO_TRIGGER), { circumstances });
		expect(unsigned(respUrl(), 24 * HOUR)).toBe(webhookAddress('4f9c'));
		service.simulator.reset();
		await service.run(notify(WAIT), { circumstances });
		expect(respUrl().includes('ytResume=') ? 'relayed' : 'directly').toBe(way);
	});

	it('it is not asked in a dry run, nor where a form is wrong or nobody wants a result', async () => {
		const circumstances = workflowWith([triggerNode('4f9c')]);
		await service.run(notify(TO_TRIGGER, { dryRun: true }), { circumstances });
		await service.run(notify({ ...TO_TRIGGER, to: 'nonsense' }), { circumstances });
		await service.run(notify({ resultDelivery: 'url', respUrl: TRIGGER_URL }), { circumstances });
		expect(n8n.posts).toEqual([]);
	});
});

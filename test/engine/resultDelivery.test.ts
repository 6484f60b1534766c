import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { AcceptedCall } from '../../simulator/index';
import { node, runNode, TYPES } from '../support/engine/engine';
import type { Circumstances, NodeRun, StoredCredential } from '../support/engine/engine';
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
const verify = (parameters: INodeParameters, options: INodeParameters = {}) =>
	operation('call', 'verify', { to: NUMBER, verifyCode: '1234', ...parameters }, options);

const run = async (
	parameters: INodeParameters,
	{ circumstances }: { circumstances?: Circumstances } = {},
): Promise<NodeRun> =>
	await runNode({ parameters, credential: service.credential(), circumstances });

/** What is wrong and what to do, as n8n shows them. */
const refusal = async (...given: Parameters<typeof run>): Promise<string> => {
	const { error } = await run(...given);
	return error ? `${error.message} ${error.description}` : 'nothing stopped it';
};

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

function onlyCall(): AcceptedCall {
	const calls = service.simulator.accepted().filter((each) => each.kind === 'call');
	if (calls.length !== 1) throw new Error(`Not one call but ${calls.length}`);
	return calls[0];
}

const respUrl = () => onlyCall().respUrl ?? 'none';

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
		const { run: whole, error } = await run(notify({ resultDelivery: 'wait', ...limit }));
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
		const result = await run(parameters, { circumstances });
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
	const { error } = await run(notify(form, { signRespUrl: true }));
	expect(error).toBeUndefined();
	expect(unsigned(respUrl(), 24 * HOUR)).toBe(entered);
	expect(service.simulator.violations()).toEqual([]);
});

describe('a hint, and the call all the same', () => {
	const NOT_REACHED =
		/cannot be reached from the internet.*N8N_WEBHOOK_URL \(WEBHOOK_URL before n8n 2\.35\)/;

	const WAIT = { resultDelivery: 'wait' };
	const toUrl = (respUrl: string) => ({ resultDelivery: 'url', respUrl });
	const PRODUCTION: Circumstances = { mode: 'webhook' };
	const LOCAL = 'http://localhost:5678/webhook/1/yuntongxun';
	const NO_TRIGGER = expect.stringMatching(
		/has no Yuntongxun Trigger.*short wait.*Add a/,
	) as string;
	const matching = (words: RegExp) => expect.stringMatching(words) as string;

	it.each<[string, INodeParameters, Circumstances, string[]]>([
		['a URL of this machine', toUrl(LOCAL), {}, [matching(NOT_REACHED)]],
		['a wait in production without a trigger', WAIT, PRODUCTION, [NO_TRIGGER]],
		['a public URL', toUrl(TRIGGER_URL), PRODUCTION, []],
	])('a hint where it is needed: %s', async (_, parameters, circumstances, wanted) => {
		const { hints, error } = await run(notify(parameters), { circumstances });
		expect(error).toBeUndefined();
		expect(hints.map(({ message }) => message)).toEqual(wanted);
		expect(onlyCall().to).toBe(NUMBER);
	});
});

describe('The trigger is asked before the first call', () => {
	const WAIT = { resultDelivery: 'wait' };
	const TO_TRIGGER = { resultDelivery: 'trigger' };
	const OTHER = { accountSid: 'other', authToken: 'other' };

	it('a call that starts a trigger is refused where another workflow has its copy', async () => {
		const circumstances = workflowWith([triggerNode('4f9c')], { active: [] });
		n8n.activate({ node: triggerNode('4f9c'), workflowId: 'the first' });
		const message = await refusal(notify(TO_TRIGGER), { circumstances });
		expect(message).toMatch(/another workflow.*add a new one/i);
		expect(service.simulator.record.requests).toEqual([]);
	});

	it.each<[string, INodeParameters, IDataObject, 'relayed' | 'directly']>([
		['has the account, and requires signatures', { requireSignedUrl: true }, {}, 'relayed'],
		['has another account', {}, OTHER, 'directly'],
		['has no usable account', {}, { authToken: '' }, 'directly'],
	])('the result comes where it %s', async (_, options, changes, way) => {
		const credential = service.credential(changes as never);
		const circumstances = workflowWith([triggerNode('4f9c', { options })], { credential });
		await run(notify(TO_TRIGGER), { circumstances });
		expect(unsigned(respUrl(), 24 * HOUR)).toBe(webhookAddress('4f9c'));
		service.simulator.reset();
		await run(notify(WAIT), { circumstances });
		expect(respUrl().includes('ytResume=') ? 'relayed' : 'directly').toBe(way);
	});

	it('a trigger gets the results of the kind of call that it starts for', async () => {
		const forCodes = triggerNode('1-codes', { events: ['voiceVerification'] });
		const circumstances = workflowWith([triggerNode('2'), forCodes]);
		await run(verify(TO_TRIGGER), { circumstances });
		expect(unsigned(respUrl(), 24 * HOUR)).toBe(webhookAddress('1-codes'));
	});

	it('it is not asked in a dry run, nor where a form is wrong or nobody wants a result', async () => {
		const circumstances = workflowWith([triggerNode('4f9c')]);
		await run(notify(TO_TRIGGER, { dryRun: true }), { circumstances });
		await refusal(notify({ ...TO_TRIGGER, to: 'nonsense' }), { circumstances });
		await run(notify({ resultDelivery: 'url', respUrl: TRIGGER_URL }), { circumstances });
		expect(n8n.posts).toEqual([]);
	});
});

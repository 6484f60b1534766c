import { setTimeout as sleep } from 'node:timers/promises';
import { fetchAlone } from '../harness/http';
import type { StoredWorkflow } from '../harness/n8nRest';
import { describeOnEachN8n } from '../harness/setup';
import type { Execution } from '../harness/storedExecution';
import { AFTER, chain, node, resultTrigger, TRIGGER } from '../harness/workflows';
import { ACKNOWLEDGEMENT } from '../support/fakeN8n';
import { hostileBodies } from '../support/hostile';

/** Longer than n8n takes to start an execution after it has answered. */
const QUIET_MS = 3_000;

let calls = 0;
const nextCallSid = (): string => String(++calls).padStart(32, '0');

const buildFields = (callSid: string, userData = 'order-42') => ({
	action: 'SellingCall',
	callSid,
	number: '13800000001',
	state: '1',
	duration: '0',
	userData,
});

const xml = (callSid: string, userData?: string, root = 'Request'): string => {
	const members = Object.entries(buildFields(callSid, userData));
	const fields = members.map(([name, value]) => `<${name}>${value}</${name}>`).join('');
	return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${fields}</${root}>`;
};
const json = (callSid: string) => JSON.stringify({ Request: buildFields(callSid) });

type Build = (callSid: string) => string | Buffer;
const RAW = 'a=1&b=2';

/**
 * What n8n reads in different ways before the trigger sees it, with the user data where it is another. What
 * the trigger reads in bytes is decided by test/unit/callbacks.
 */
const TAKEN: Array<[string, string | undefined, Build, userData?: string]> = [
	['XML as text', 'text/plain; charset=UTF-8', (sid) => xml(sid, 'order-42', 'request')],
	['XML as application/xml', 'application/xml', (sid) => xml(sid)],
	['XML as text/xml', 'text/xml;charset=utf-8', (sid) => xml(sid)],
	['XML without a content type', undefined, (sid) => xml(sid)],
	['JSON', 'application/json', json],
	['XML with a raw & as bytes', 'application/octet-stream', (sid) => xml(sid, RAW), RAW],
];

/** What n8n answers itself, before the trigger sees it. */
const REFUSED_BY_N8N: Array<[string, string, Build]> = [
	['JSON with a raw line feed', 'application/json', (sid) => json(sid).replace('-', '\n')],
	['a charset that Node.js does not know', 'text/plain; charset=GBK', (sid) => xml(sid)],
];

describeOnEachN8n('The trigger', (setup) => {
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		const { rest } = setup().n8n;
		const after = node(AFTER, 'n8n-nodes-base.noOp');
		workflow = await rest.createWorkflow(chain('Trigger under test', resultTrigger(), after));
		await rest.activate(workflow);
	});

	const post = async (body: string | Buffer, contentType?: string) =>
		await fetchAlone(setup().n8n.rest.triggerUrl(workflow.nodes[0]), {
			method: 'POST',
			// As bytes, because a text would get a content type of its own.
			body: Buffer.from(body),
			headers: contentType === undefined ? {} : { 'content-type': contentType },
		});
	const count = async () => await setup().n8n.rest.countExecutions(workflow);

	/** Posts, and gives the answer and the one execution that it starts, once that has ended. */
	async function starts(body: string | Buffer, contentType?: string) {
		const { rest } = setup().n8n;
		const before = await count();
		const started = await rest.startBy(workflow, async () => await post(body, contentType));
		const execution: Execution = await rest.ended(started.id);
		expect(await count()).toBe(before + 1);
		return { response: started.given, execution };
	}

	test.each(TAKEN)('takes %s', async (_, contentType, build, userData = 'order-42') => {
		const callSid = nextCallSid();
		const { response, execution } = await starts(build(callSid), contentType);
		expect(await response.text()).toBe(ACKNOWLEDGEMENT);
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toMatch(/^(application|text)\/xml\b/);
		expect(execution.nodesRun).toEqual([TRIGGER, AFTER]);
		expect(execution.getItems(TRIGGER).map((item) => item.json)).toEqual([
			expect.objectContaining({ ...buildFields(callSid, userData), outcome: 'noAnswer' }),
		]);
	});

	test.each(REFUSED_BY_N8N)('never sees %s', async (_, contentType, build) => {
		const before = await count();
		expect((await post(build(nextCallSid()), contentType)).status).toBe(422);
		expect(await count()).toBe(before);
	});

	// Why each is refused is decided by test/unit: here n8n gets all of them at once.
	test('starts nothing for hostile requests, and then takes an honest result', async () => {
		const before = await count();
		const bodies = Object.values(hostileBodies(nextCallSid()));
		const answers = await Promise.all(bodies.map(async (body) => await post(body)));
		// A busy n8n 2 says 503 by itself.
		const statuses = new Set(answers.map(({ status }) => status).filter((each) => each !== 503));
		expect([...statuses]).toEqual([400]);
		await sleep(QUIET_MS);
		expect(await count()).toBe(before);
		await starts(xml(nextCallSid()));
	});
});

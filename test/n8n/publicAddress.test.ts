import { Calls } from '../harness/callResults';
import {
	chain,
	beside,
	resultTrigger,
	Startable,
	tell,
	waitAndTell,
	waitingCall,
} from '../harness/waitWorkflows';
import { node, START } from '../harness/workflows';
import { openWorld, versionsToTest, type World } from '../harness/world';
import './support/retry';

const START_LIMIT_MS = 20 * 60_000;

/** A public address with a prefix, which n8n itself cannot reach, and n8n's endpoints, called something else. */
const ENV = {
	WEBHOOK_URL: 'https://n8n.invalid/phone/',
	N8N_ENDPOINT_WEBHOOK: 'hooks',
	N8N_ENDPOINT_WEBHOOK_TEST: 'hooks-test',
	N8N_ENDPOINT_WEBHOOK_WAIT: 'hooks-paused',
};

describe.each(versionsToTest())('n8n %s, which cannot reach its own public address', (version) => {
	let world: World;
	const calls = new Calls(() => world);

	beforeAll(async () => {
		world = await openWorld(version, { env: ENV });
		// We come in at its door, as a proxy does.
		world.n8n.rest.webhookBase = `${world.n8n.url}/${ENV.N8N_ENDPOINT_WEBHOOK}`;
		world.simulator.configure({ callResultDelayMs: 24 * 60 * 60_000 });
	}, START_LIMIT_MS);
	afterAll(async () => await world?.stop());
	afterEach(() => expect(world.simulator.violations()).toEqual([]));

	/** Delivers a result as a proxy does, and checks that the execution goes on with it once. */
	async function resumes(userData: string): Promise<void> {
		const call = await calls.named(userData);
		expect(call.respUrl).toMatch(
			/^https:\/\/n8n\.invalid\/phone\/hooks\/[\w-]+\/yuntongxun\?yt=wait\./,
		);
		const url = call.respUrl?.replace('https://n8n.invalid/phone', world.n8n.url);
		expect(await calls.deliver(call, { url })).toBe(200);
		expect(await calls.told(call)).toEqual([`completed ${userData}`]);
	}

	test('resumes a call of an active workflow', async () => {
		const workflow = await Startable.activate(world, waitAndTell(world.credential));
		await resumes((await calls.placeWith(workflow)).userData ?? '');
	});

	test('places and resumes a call of a workflow that is run by hand', async () => {
		const { n8n, credential } = world;
		const userData = calls.nextName();
		const start = node(START, 'n8n-nodes-base.manualTrigger');
		const call = waitingCall(credential, { from: '$json' });
		const workflow = await n8n.rest.createWorkflow({
			...beside(chain('By hand', start, call, tell(credential)), resultTrigger(credential)),
			pinData: { [START]: [{ json: { to: '13800000015', userData } }] },
		});
		await n8n.rest.activate(workflow);
		await n8n.rest.run(workflow, START);
		await resumes(userData);
	});
});

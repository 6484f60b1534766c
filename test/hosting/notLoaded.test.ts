import { Calls, SILENT } from '../harness/callResults';
import { newestSupported } from '../harness/versions';
import { chain, hook, Startable, tell, waitingCall } from '../harness/waitWorkflows';
import { openWorld, type World } from '../harness/world';

/*
 * What docs/install.md says of n8n 3 without N8N_UNVERIFIED_PACKAGES_ENABLED. n8n 2.41 loads an unverified
 * package all the same, so a setting of its own that loads none stands in.
 */

const LIMIT_MS = 10 * 60_000;
const WITHOUT_PACKAGES = 'N8N_COMMUNITY_PACKAGES_PREVENT_LOADING';
const BAD_REQUEST = 400;

let world: World;
beforeAll(async () => {
	world = await openWorld(newestSupported, {});
}, LIMIT_MS);
afterAll(async () => {
	await world?.n8n.stop();
	await world?.simulator.stop();
});

const calls = new Calls(() => world);

test(
	'While n8n does not load the package a wait stays, and what comes for it is lost',
	async () => {
		const { credential, n8n } = world;
		const workflow = await Startable.activate(
			world,
			chain('Waiting', hook(), waitingCall(credential), tell(credential)),
		);
		const userData = calls.nextName();
		await workflow.start({ to: SILENT, userData });
		const call = await calls.parked(userData);
		await calls.untilWaiting(call);

		await n8n.restart({ [WITHOUT_PACKAGES]: 'true' });
		const { answer } = await calls.send(call);
		expect(answer?.httpStatus).toBe(BAD_REQUEST);
		expect(JSON.stringify(answer)).toContain('Unrecognized node type: n8n-nodes-yuntongxun');
		await calls.areParked(call);

		await n8n.restart({ [WITHOUT_PACKAGES]: 'false' });
		await calls.areParked(call);
		expect(await calls.deliver(call)).toBe(200);
		expect(await calls.told(call)).toEqual([`completed ${userData}`]);
	},
	LIMIT_MS,
);

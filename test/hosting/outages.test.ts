import { setTimeout as sleep } from 'node:timers/promises';
import { Calls } from '../harness/callResults';
import { PublicAddress } from '../harness/publicAddress';
import { newestSupported } from '../harness/versions';
import { Startable, waitAndTell } from '../harness/waitWorkflows';
import { openWorld, type World } from '../harness/world';

/*
 * Minutes in which n8n cannot reach its own public address, with a result on its way to an execution. What
 * each answer means, and when it is tried again, is decided by test/unit/waiting/relay.
 */

const OUTAGE_MS = 170_000;
/** The longest pause between two attempts, and the attempt that still hangs. */
const TAKEN_WITHIN_MS = 60_000;
const LIMIT_MS = 10 * 60_000;

let address: PublicAddress;
let world: World;
beforeAll(async () => {
	address = await PublicAddress.start('', 0);
	world = await openWorld(newestSupported, { env: { WEBHOOK_URL: address.url } });
	address.targets = [world.n8n.url];
}, LIMIT_MS);
afterAll(async () => {
	await world?.stop();
	await address?.stop();
});

test(
	'A result that has come before n8n’s own address hangs for minutes is taken once it is back',
	async () => {
		const calls = new Calls(() => world);
		const workflow = await Startable.activate(world, waitAndTell(world.credential));
		const call = await calls.placeWith(workflow);
		await calls.untilWaiting(call);
		address.hairpin = 'silent';
		expect(await calls.deliver(call)).toBe(200);
		await sleep(OUTAGE_MS);
		await calls.areParked(call);
		address.hairpin = 'open';
		expect(await calls.told(call, TAKEN_WITHIN_MS)).toEqual([`completed ${call.userData}`]);
	},
	LIMIT_MS,
);

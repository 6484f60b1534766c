import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import { Calls, SILENT } from '../harness/callResults';
import { PublicAddress } from '../harness/publicAddress';
import { newestSupported } from '../harness/versions';
import {
	beside,
	chain,
	hook,
	resultTrigger,
	Startable,
	tell,
	waitingCall,
} from '../harness/waitWorkflows';
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
	world = await openWorld(newestSupported, { WEBHOOK_URL: address.url });
	address.targets = [world.n8n.url];
}, LIMIT_MS);
afterAll(async () => {
	await world?.n8n.stop();
	await world?.simulator.stop();
	await address?.stop();
});

const calls = new Calls(() => world);

/** A call whose execution waits for its result through the trigger of its workflow. */
async function place(): Promise<AcceptedCall> {
	const { credential } = world;
	const definition = chain('Waiting', hook(), waitingCall(credential), tell(credential));
	const workflow = await Startable.activate(world, beside(definition, resultTrigger(credential)));
	const userData = calls.nextName();
	await workflow.start({ to: SILENT, userData });
	const call = await calls.named(userData);
	await calls.untilWaiting(call);
	return call;
}

/** What n8n's own requests meet. */
async function hang(isOver: boolean): Promise<void> {
	address.hairpin = isOver ? 'open' : 'silent';
}

/** What all meet. */
async function refuse(isOver: boolean): Promise<void> {
	await (isOver ? address.open() : address.close());
}

test.each([
	['hangs', hang],
	['refuses connections', refuse],
])(
	'A result that has come before n8n’s own address %s for minutes is taken once it is back',
	async (_what, setOutage) => {
		const call = await place();
		address.hairpin = 'silent';
		expect(await calls.deliver(call)).toBe(200);
		await setOutage(false);
		await sleep(OUTAGE_MS);
		await calls.areParked(call);
		address.hairpin = 'open';
		await setOutage(true);
		expect(await calls.told(call, TAKEN_WITHIN_MS)).toEqual([`completed ${call.userData}`]);
	},
	LIMIT_MS,
);

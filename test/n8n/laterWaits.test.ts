import type { WorkflowDefinition } from '../harness/n8nRest';
import { Calls, SILENT } from '../harness/callResults';
import { PublicAddress } from '../harness/publicAddress';
import {
	beside,
	chain,
	hook,
	resultTrigger,
	splitPeople,
	Startable,
	tell,
	waitingCall,
} from '../harness/waitWorkflows';
import { describeOnEachN8n, type World } from '../harness/world';
import './support/retry';

const LIMIT_MS = 600_000;
/** The public address answers so much later than n8n. */
const ANSWERS_LATER_MS = 200;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const withTrigger = ({ credential }: World, definition: WorkflowDefinition) =>
	beside(definition, resultTrigger(credential));

describeOnEachN8n('A wait that follows others', (world) => {
	const calls = new Calls(world);

	let address: PublicAddress;
	let before: Startable;

	beforeAll(async () => {
		const { credential, n8n, simulator } = world();
		const definition = chain('Moved', hook(), waitingCall(credential), tell(credential));
		before = await Startable.activate(world(), withTrigger(world(), definition));
		// A busy n8n answers late, and a result that nobody acknowledged is sent once here.
		simulator.configure({ callResultPatienceMs: 120_000 });
		address = await PublicAddress.start('/moved', ANSWERS_LATER_MS);
		address.targets = [n8n.url];
		await n8n.restart({ WEBHOOK_URL: address.url });
	}, LIMIT_MS);
	afterAll(async () => await address?.stop());

	test('gets its result at the new public address of n8n without activating the workflow again', async () => {
		const userData = calls.nextName();
		await before.start({ to: SILENT, userData });
		const call = await calls.named(userData);
		expect(call.respUrl?.startsWith(`${address.url}webhook/`)).toBe(true);
		expect(call.respUrl).toContain(encodeURIComponent(`${address.url}webhook-waiting/`));
		expect(await calls.deliver(call)).toBe(200);
		expect(await calls.told(call)).toEqual([`completed ${userData}`]);
	});

	test(
		'resumes within a minute behind 300 open ones and a slow public address',
		async () => {
			const { credential } = world();
			const from = { from: '$json' };
			const two = withTrigger(
				world(),
				chain(
					'Two calls each',
					hook(),
					splitPeople(),
					waitingCall(credential, from),
					tell(credential),
				),
			);
			const workflow = await Startable.activate(world(), two);
			const lists = numbers(300).map(() => [calls.nextName(), calls.nextName()]);
			// Every answer of the address takes a fifth of a second longer, those to the service too.
			while (lists.length > 0) {
				await Promise.all(
					lists.splice(0, 30).map(async (names) => {
						await workflow.start({
							people: names.map((userData) => ({ to: SILENT, userData })),
						});
						expect(await calls.deliver(await calls.named(names[0]))).toBe(200);
					}),
				);
			}
			const names = [calls.nextName(), calls.nextName()];
			await workflow.start({ people: names.map((userData) => ({ to: SILENT, userData })) });
			const [one, other] = [await calls.named(names[0]), await calls.named(names[1])];
			await calls.untilWaiting(one);
			await calls.deliver(one);
			await calls.deliver(other);
			expect(await calls.told(one, 60_000)).toHaveLength(1);
		},
		3 * LIMIT_MS,
	);
});

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
import { describeOnEachN8n } from '../harness/world';
import './support/retry';

const LIMIT_MS = 600_000;
/** The public address answers so much later than n8n. */
const ANSWERS_LATER_MS = 200;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describeOnEachN8n('A wait that follows others', (world) => {
	const calls = new Calls(world);

	let address: PublicAddress;

	beforeAll(async () => {
		const { n8n, simulator } = world();
		// A busy n8n answers late, and a result that nobody acknowledged is sent once here.
		simulator.configure({ callResultPatienceMs: 120_000 });
		address = await PublicAddress.start('/moved', ANSWERS_LATER_MS);
		address.targets = [n8n.url];
		await n8n.restart({ WEBHOOK_URL: address.url });
	}, LIMIT_MS);
	afterAll(async () => await address?.stop());

	test(
		'resumes within a minute behind 300 open ones and a slow public address',
		async () => {
			const { credential } = world();
			const call = waitingCall(credential, { from: '$json' });
			const list = chain('Two calls each', hook(), splitPeople(), call, tell(credential));
			const two = beside(list, resultTrigger(credential));
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

import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../../simulator/index';
import type { WorkflowDefinition } from '../harness/n8nRest';
import { Calls, SILENT } from '../harness/callResults';
import { PublicAddress } from '../harness/publicAddress';
import {
	beside,
	chain,
	HOOK,
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
const FROM_HOOK = `$('${HOOK}').first().json.body`;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

const withTrigger = ({ credential }: World, definition: WorkflowDefinition) =>
	beside(definition, resultTrigger(credential));

describeOnEachN8n('A wait that follows others', (world) => {
	const calls = new Calls(world);

	/** Gives n8n another public address while something is done. */
	async function moved(prefix: string, delayMs: number, work: (url: string) => Promise<void>) {
		const { n8n } = world();
		const address = await PublicAddress.start(prefix, delayMs);
		address.targets = [n8n.url];
		try {
			await n8n.restart({ WEBHOOK_URL: address.url });
			await work(address.url);
		} finally {
			await n8n.restart({ WEBHOOK_URL: `${n8n.url}/` });
			await address.stop();
		}
	}

	test(
		'lasts its full limit, whenever in the minute the first one ended',
		async () => {
			const { credential } = world();
			const first = waitingCall(credential);
			const second = waitingCall(credential, { name: 'Second', from: FROM_HOOK });
			const { options, ...parameters } = second.parameters;
			const userData = `={{ ${FROM_HOOK}.userData }}-second`;
			const definition = chain(
				'Two waits',
				hook(),
				first,
				{
					...second,
					parameters: {
						...parameters,
						waitLimit: 600,
						options: { ...(options as object), userData },
					},
				},
				tell(credential),
			);
			const workflow = await Startable.activate(world(), withTrigger(world(), definition));
			const names = numbers(12).map(() => calls.nextName());
			// n8n looks once a minute which executions are due: all phases of that occur.
			for (const name of names) {
				await workflow.start({ to: SILENT, userData: name, limit: 30 });
				await sleep(5000);
			}
			const all: AcceptedCall[] = [];
			for (const name of names) all.push(await calls.named(`${name}-second`));
			// The timers of the first waits would have fired by then, had they been nearer.
			await sleep(95_000);
			expect(all.map((call) => calls.followers(call).length)).toEqual(all.map(() => 0));
			await calls.areParked(...all);
			for (const call of all) expect(await calls.deliver(call)).toBe(200);
			for (const call of all) expect((await calls.told(call))[0]).toMatch(/^completed/);
		},
		LIMIT_MS,
	);

	test(
		'resumes within a minute behind 300 open ones and a slow public address',
		async () => {
			// A busy n8n answers late, and a result that nobody acknowledged is sent once here.
			world().simulator.configure({ callResultPatienceMs: 120_000 });
			await moved('', 200, async () => {
				const { credential } = world();
				const two = withTrigger(
					world(),
					chain(
						'Two calls each',
						hook(),
						splitPeople(),
						waitingCall(credential, { from: '$json' }),
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
			});
		},
		3 * LIMIT_MS,
	);

	test(
		'gets its result at the new public address of n8n without activating the workflow again',
		async () => {
			const { credential } = world();
			const definition = chain('Moved', hook(), waitingCall(credential), tell(credential));
			const workflow = await Startable.activate(world(), withTrigger(world(), definition));
			await moved('/moved', 10, async (url) => {
				const userData = calls.nextName();
				await workflow.start({ to: SILENT, userData });
				const call = await calls.named(userData);
				expect(call.respUrl?.startsWith(`${url}webhook/`)).toBe(true);
				expect(call.respUrl).toContain(encodeURIComponent(`${url}webhook-waiting/`));
				expect(await calls.deliver(call)).toBe(200);
				expect(await calls.told(call)).toEqual([`completed ${userData}`]);
			});
		},
		LIMIT_MS,
	);
});

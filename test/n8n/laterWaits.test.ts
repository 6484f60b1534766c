import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedCall } from '../simulator';
import type { WorkflowDefinition, WorkflowNode } from './harness/n8nRest';
import { Calls, SILENT } from './support/calls';
import { PublicAddress } from './support/publicAddress';
import { chain, HOOK, hook, Startable, tell, waitingCall } from './support/waiting';
import { node, TRIGGER } from './support/workflows';
import { CREDENTIAL_TYPE, describeOnEachN8n, type World } from './support/world';

const LIMIT_MS = 600_000;
const FROM_HOOK = `$('${HOOK}').first().json.body`;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

function withTrigger({ credential }: World, definition: WorkflowDefinition): WorkflowDefinition {
	const trigger: WorkflowNode = {
		...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger', { options: {} }),
		credentials: { [CREDENTIAL_TYPE]: credential },
		webhookId: randomUUID(),
	};
	return { ...definition, nodes: [...definition.nodes, trigger] };
}

describeOnEachN8n('Waits that others came before', (world) => {
	const calls = new Calls(world);

	test(
		'a second wait lasts as long as it says, whenever the first one ended within a minute',
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
			for (const call of all) expect(await calls.statusOf(call)).toBe(200);
			for (const call of all) expect((await calls.told(call))[0]).toMatch(/^completed/);
		},
		LIMIT_MS,
	);

	test(
		'a complete wait goes on within 15 seconds behind 300 open ones and a slow public address',
		async () => {
			const address = await PublicAddress.start('', 2000);
			address.target = world().n8n.url;
			try {
				await world().n8n.restart({ WEBHOOK_URL: address.url });
				const { credential } = world();
				const two = withTrigger(
					world(),
					chain(
						'Two calls each',
						hook(),
						node('Split', 'n8n-nodes-base.splitOut', {
							fieldToSplitOut: 'body.people',
							include: 'noOtherFields',
							options: {},
						}),
						waitingCall(credential, { from: '$json' }),
						tell(credential),
					),
				);
				const workflow = await Startable.activate(world(), two);
				const lists = numbers(300).map(() => [calls.nextName(), calls.nextName()]);
				// Every answer of the address takes two seconds, those to the service too.
				while (lists.length > 0) {
					await Promise.all(
						lists.splice(0, 30).map(async (names) => {
							await workflow.start({
								people: names.map((userData) => ({ to: SILENT, userData })),
							});
							expect(await calls.statusOf(await calls.named(names[0]))).toBe(200);
						}),
					);
				}
				const names = [calls.nextName(), calls.nextName()];
				await workflow.start({ people: names.map((userData) => ({ to: SILENT, userData })) });
				const [one, other] = [await calls.named(names[0]), await calls.named(names[1])];
				await calls.untilWaiting(one);
				await calls.statusOf(one);
				const start = Date.now();
				await calls.statusOf(other);
				expect(await calls.told(one, 60_000)).toHaveLength(1);
				const took = Date.parse(calls.followers(one)[0].at) - start;
				process.stderr.write(`      went on after ${took} ms\n`);
				expect(took).toBeLessThan(15_000);
			} finally {
				await world().n8n.restart({ WEBHOOK_URL: `${world().n8n.url}/` });
				await address.stop();
			}
		},
		3 * LIMIT_MS,
	);

	test(
		'a call placed after n8n got another public address reports there, with nothing published again',
		async () => {
			const { credential } = world();
			const definition = chain('Moved', hook(), waitingCall(credential), tell(credential));
			const workflow = await Startable.activate(world(), withTrigger(world(), definition));
			const address = await PublicAddress.start('/moved', 10);
			address.target = world().n8n.url;
			try {
				await world().n8n.restart({ WEBHOOK_URL: address.url });
				const userData = calls.nextName();
				await workflow.start({ to: SILENT, userData });
				const call = await calls.named(userData);
				expect(call.respUrl?.startsWith(`${address.url}webhook/`)).toBe(true);
				expect(call.respUrl).toContain(encodeURIComponent(`${address.url}webhook-waiting/`));
				expect(await calls.statusOf(call)).toBe(200);
				expect(await calls.told(call)).toEqual([`completed ${userData}`]);
			} finally {
				await world().n8n.restart({ WEBHOOK_URL: `${world().n8n.url}/` });
				await address.stop();
			}
		},
		LIMIT_MS,
	);
});

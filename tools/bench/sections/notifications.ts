import { hook, resultTrigger } from '../../../test/harness/waitWorkflows';
import type { World } from '../../../test/harness/world';
import { bareTrigger, flood } from '../executions';
import { followPeakMemory } from '../memory';
import { atMost, median, ratio, type Section } from '../report';

const NOTIFICATIONS = 600;

/** What was seen of a contestant, round by round: rates per second, memory in megabytes. */
class Figures {
	readonly answered: number[] = [];
	readonly executed: number[] = [];
	readonly memory: number[] = [];

	/** The middle of all rounds. */
	get middle() {
		const { answered, executed, memory } = this;
		return { answered: median(answered), executed: median(executed), memory: median(memory) };
	}
}

/** Notifications per second through our trigger, an empty one, and n8n's own Webhook node. */
export async function notificationsSection(world: World, rounds: number): Promise<Section> {
	const contestants = [
		{ name: "n8n's Webhook node", make: hook, figures: new Figures() },
		{ name: 'an empty community trigger', make: bareTrigger, figures: new Figures() },
		{
			name: 'this trigger',
			make: () => resultTrigger(),
			figures: new Figures(),
		},
	];
	for (let round = 0; round < rounds; round++) {
		for (const { make, figures } of contestants) await measure(world, make(), figures);
	}
	const [webhook, empty, own] = contestants.map(({ figures }) => figures.middle);
	return {
		title: 'Notifications',
		method: `${NOTIFICATIONS} notifications of different calls, 20 at a time, to an active workflow of a trigger and one empty node, in an n8n that has just started; memory is what n8n used on top at its highest point; median of ${rounds} runs, taken in turn. By default n8n stores every execution.`,
		head: [
			'Trigger',
			'Answered a second',
			'Executed a second',
			'Executed / Webhook node',
			'Memory',
		],
		rows: contestants.map(({ name, figures: { middle } }) => [
			name,
			middle.answered.toFixed(0),
			middle.executed.toFixed(0),
			ratio(middle.executed, webhook.executed),
			`${middle.memory.toFixed(0)} MB`,
		]),
		verdicts: [
			atMost('the empty trigger’s rate beside this one’s', empty.executed, own.executed, 1.05),
			atMost('memory beside the empty trigger', own.memory, empty.memory, 1.1),
		],
	};
}

async function measure(world: World, start: ReturnType<typeof hook>, figures: Figures) {
	// A fresh n8n, so that none pays for the memory of another.
	await world.n8n.restart();
	const readPeak = followPeakMemory(world.n8n);
	const { answered, ended } = await flood(world, start, NOTIFICATIONS);
	figures.memory.push(readPeak());
	figures.answered.push((NOTIFICATIONS / answered) * 1000);
	figures.executed.push((NOTIFICATIONS / ended) * 1000);
}

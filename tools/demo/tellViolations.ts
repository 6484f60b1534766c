import { setTimeout as sleep } from 'node:timers/promises';
import type { Simulator } from '../../simulator/index';
import type { Narrator } from './narrator';

const LOOK_EVERY_MS = 500;

/** Says what is wrong with requests from now on, until the process ends: n8n may show a success all the same. */
export async function tellViolations(simulator: Simulator, narrator: Narrator): Promise<never> {
	let told = simulator.violations().length;
	for (;;) {
		await sleep(LOOK_EVERY_MS);
		const all = simulator.violations();
		for (const { words } of all.slice(told)) narrator.say(`The service saw: ${words}`);
		told = all.length;
	}
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { runNode, type NodeRun, type NodeSettings } from '../../support/engine/engine';
import { expectNoSecrets } from '../../support/engine/secrets';
import { startSimulator, type FaultEffect, type Simulator } from '../../../simulator/index';
import { openAddresses, type Addresses } from './addresses';
import { ELSEWHERE, type MatrixFault } from './fault';
import { expectationFor, verdictOn } from './judge';
import { FORMATS, OPERATIONS, type Format, type MatrixOperation } from './operations';

/** How a node is set to deal with failures. */
const SETTINGS = {
	stop: {},
	continue: { onError: 'continueRegularOutput' },
	retry: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
} satisfies Record<string, NodeSettings>;
export type SettingName = keyof typeof SETTINGS;

/** Milliseconds. However busy the machine is, only what is meant to runs into them. */
const SLOW_TIMEOUT = 10_000;
const ORDINARY_TIMEOUT = 120_000;
/** A run of several tries with pauses ends long before; what has not ended by then hangs. */
const HANGS_AFTER = 300_000;

/** Waves that are under way at the same time: those that wait, and those that keep a core busy. */
const SLOW_LANES = 3;
const WAITING_LANES = 6;
const BUSY_LANES = 2;

/** What came of one combination of the matrix. */
export interface Combination {
	fault: MatrixFault;
	operation: string;
	format: Format;
	setting: SettingName;
	/** What is not as it has to be, in words. */
	deviations: string[];
}

type Cell = Pick<Combination, 'setting' | 'format'> & { operation: MatrixOperation };

/** Runs each fault with every operation, format and setting, in n8n's own engine. */
export async function runMatrix(faults: readonly MatrixFault[]): Promise<Combination[]> {
	const addresses = await openAddresses();
	const waves = faults.flatMap((fault) =>
		(Object.keys(SETTINGS) as SettingName[]).map((setting) => ({
			fault,
			cells: OPERATIONS.flatMap((operation) =>
				FORMATS.map((format) => ({ operation, format, setting })),
			),
		})),
	);
	const results: Combination[] = [];
	const lane = async (queue: typeof waves): Promise<void> => {
		const simulator = await startSimulator();
		try {
			for (let wave = queue.shift(); wave; wave = queue.shift()) {
				results.push(...(await runWave(wave.fault, wave.cells, simulator, addresses)));
			}
		} finally {
			await simulator.stop();
		}
	};
	const slow = waves.filter(({ fault }) => fault.isSlow);
	const waiting = waves.filter(({ fault }) => fault.isLoad);
	const busy = waves.filter(({ fault }) => !fault.isSlow && !fault.isLoad);
	const lanes = async (count: number, queue: typeof waves) =>
		await Promise.all(Array.from({ length: count }, async () => await lane(queue)));
	try {
		// What reaches the service late, because others keep this process busy, spoils the count.
		await lanes(SLOW_LANES, slow);
		await Promise.all([lanes(WAITING_LANES, waiting), lanes(BUSY_LANES, busy)]);
	} finally {
		await addresses.stop();
	}
	return results;
}

/** One fault and one setting: all operations in both formats at the same moment. */
async function runWave(
	fault: MatrixFault,
	cells: readonly Cell[],
	simulator: Simulator,
	addresses: Addresses,
): Promise<Combination[]> {
	simulator.reset();
	const { strikes } = fault;
	if ('effect' in strikes) {
		const effect = withElsewhere(strikes.effect, addresses.elsewhere);
		simulator.fail({ ...effect, accept: strikes.accept, times: Infinity });
	}
	const credential = {
		...simulator.credentials,
		baseUrl: 'address' in strikes ? addresses.dead[strikes.address] : simulator.url,
		softVersion: '2013-12-26',
	};
	const heardBefore = addresses.visitors() + addresses.overheard();
	const runs = await Promise.all(
		cells.map(async ({ operation, format, setting }) => {
			const { parameters } = operation;
			const timeout = fault.isSlow ? SLOW_TIMEOUT : ORDINARY_TIMEOUT;
			const options = { ...(parameters.options as INodeParameters), timeout };
			return await Promise.race([
				runNode({
					parameters: { ...parameters, options },
					settings: SETTINGS[setting],
					credential: { ...credential, wireFormat: format },
				}),
				sleep(HANGS_AFTER, undefined, { ref: false }),
			]);
		}),
	);
	const heard = addresses.visitors() + addresses.overheard() - heardBefore;
	return cells.map((cell, place) => {
		const run = runs[place];
		const expected = expectationFor(fault, cell);
		const requests = simulator.record.requests.filter(
			(each) => each.operation === cell.operation.endpoint && each.answerFormat === cell.format,
		);
		const deviations = run
			? verdictOn(run, expected, { ...cell, simulator, requests })
			: ['it hangs'];
		return {
			fault,
			operation: cell.operation.name,
			format: cell.format,
			setting: cell.setting,
			deviations: [
				...deviations,
				...(run ? secretsIn(run, simulator) : []),
				...(heard > 0 ? ['another host heard of it'] : []),
				...(({} as { polluted?: unknown }).polluted === undefined ? [] : ['a prototype changed']),
			],
		};
	});
}

function secretsIn(run: NodeRun, simulator: Simulator): string[] {
	try {
		expectNoSecrets(run, simulator);
		return [];
	} catch {
		return ['a secret is in it'];
	}
}

function withElsewhere(effect: FaultEffect, elsewhere: string): FaultEffect {
	if (effect.kind !== 'http') return effect;
	const { body, headers } = effect;
	const put = (text: string) => text.replaceAll(ELSEWHERE, elsewhere);
	return {
		...effect,
		...(typeof body === 'string' && { body: put(body) }),
		...(headers && {
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [name, put(value)]),
			),
		}),
	};
}

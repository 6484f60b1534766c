import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';

import { startSimulator, type FaultEffect, type Simulator } from '../../../simulator/index';
import { forEach } from '../../harness/atOnce';
import {
	CONTINUE,
	runNode,
	type NodeRun,
	type StoredCredential,
} from '../../support/engine/engine';
import { listKeptSecrets } from '../../support/engine/secrets';
import { openAddresses, type Addresses } from './addresses';
import { ELSEWHERE, type MatrixFault } from './fault';
import { findDeviations } from './judge';
import { FORMATS, OPERATIONS, type Format, type MatrixOperation } from './operations';

/** Milliseconds. However busy the machine is, only what is meant to runs into them. */
const SLOW_TIMEOUT = 10_000;
const ORDINARY_TIMEOUT = 120_000;
/** A run of several tries with pauses ends long before; what has not ended by then hangs. */
const HANGS_AFTER = 300_000;

/** Waves that are under way at the same time: those that wait, and those that keep a core busy. */
const SLOW_WAVES = 3;
const WAITING_WAVES = 6;
const BUSY_WAVES = 2;

/** What came of one combination of the matrix. */
export interface Combination {
	fault: MatrixFault;
	operation: string;
	format: Format;
	/** What is not as it has to be, in words. */
	deviations: string[];
}

type Cell = Pick<Combination, 'format'> & { operation: MatrixOperation };

/** Runs each fault with every operation and format, in n8n's own engine. What is tried again: engine/retry. */
export async function runMatrix(faults: readonly MatrixFault[]): Promise<Combination[]> {
	const addresses = await openAddresses();
	const results: Combination[] = [];
	const run = async (fault: MatrixFault): Promise<void> => {
		const simulator = await startSimulator();
		try {
			results.push(...(await runWave(fault, simulator, addresses)));
		} finally {
			await simulator.stop();
		}
	};
	const slow = faults.filter(({ isSlow }) => isSlow);
	const waiting = faults.filter(({ isLoad }) => isLoad);
	const busy = faults.filter(({ isSlow, isLoad }) => !isSlow && !isLoad);
	try {
		// What reaches the service late, because others keep this process busy, spoils the count.
		await forEach(slow, SLOW_WAVES, run);
		await Promise.all([forEach(waiting, WAITING_WAVES, run), forEach(busy, BUSY_WAVES, run)]);
	} finally {
		await addresses.stop();
	}
	return results;
}

const CELLS: Cell[] = OPERATIONS.flatMap((operation) =>
	FORMATS.map((format) => ({ operation, format })),
);

/** One fault: all operations in both formats at the same moment. */
async function runWave(
	fault: MatrixFault,
	simulator: Simulator,
	addresses: Addresses,
): Promise<Combination[]> {
	const baseUrl = strike(fault, simulator, addresses);
	const credential = { ...simulator.credentials, baseUrl, softVersion: '2013-12-26' };
	const heardBefore = addresses.countListeners();
	const runs = await Promise.all(CELLS.map(async (cell) => await runCell(cell, fault, credential)));
	const isHeard = addresses.countListeners() > heardBefore;
	const isPolluted = ({} as { polluted?: unknown }).polluted !== undefined;
	return CELLS.map((cell, place) => ({
		fault,
		operation: cell.operation.name,
		format: cell.format,
		deviations: [
			...judge(cell, fault, runs[place], simulator),
			...(isHeard ? ['another host heard of it'] : []),
			...(isPolluted ? ['a prototype changed'] : []),
		],
	}));
}

/** @returns the address that requests go to */
function strike({ strikes }: MatrixFault, simulator: Simulator, addresses: Addresses): string {
	if (strikes.kind === 'address') return addresses.dead[strikes.address];
	const effect = withElsewhere(strikes.effect, addresses.elsewhere);
	simulator.fail({ ...effect, accept: strikes.accept, times: Infinity });
	return simulator.url;
}

/** @returns undefined for a run that hangs */
async function runCell(
	{ operation: { parameters }, format }: Cell,
	{ isSlow }: MatrixFault,
	credential: StoredCredential,
): Promise<NodeRun | undefined> {
	const timeout = isSlow ? SLOW_TIMEOUT : ORDINARY_TIMEOUT;
	const options = { ...(parameters.options as INodeParameters), timeout };
	return await Promise.race([
		runNode({
			parameters: { ...parameters, options },
			settings: CONTINUE,
			credential: { ...credential, wireFormat: format },
		}),
		sleep(HANGS_AFTER, undefined, { ref: false }),
	]);
}

function judge(cell: Cell, fault: MatrixFault, run: NodeRun | undefined, simulator: Simulator) {
	if (run === undefined) return ['it hangs'];
	const requests = simulator.record.requests.filter(
		(each) => each.operation === cell.operation.endpoint && each.answerFormat === cell.format,
	);
	const deviations = findDeviations(run, { ...cell, fault, simulator, requests });
	const hasSecret = listKeptSecrets(run, simulator).length > 0;
	return [...deviations, ...(hasSecret ? ['a secret is in it'] : [])];
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

/**
 * Starts many executions at once, each of which waits for the result of a call, and tells what
 * became of them:
 *
 *     tsx test/withCa.ts tsx test/n8n/burst.ts [--relay] [--executions 200] [--delay 1500]
 *       [--n8n 2.41.1] [--limit 240] [--concurrency N]
 *
 * `--delay` is the time from a call's acceptance to its result, in milliseconds; `--limit` how long
 * an execution waits, in seconds; `--concurrency` is n8n's own N8N_CONCURRENCY_PRODUCTION_LIMIT.
 * The figures in the README come from here.
 */
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSimulator } from '../simulator';
import type { SimulatorRecord } from '../simulator';
import { installN8n } from './harness/installN8n';
import { packTarball } from './harness/pack';
import { showProgress } from './harness/progress';
import { startN8n } from './harness/startN8n';
import { newestSupported } from './harness/versions';
import { until } from './harness/until';
import { numberEnding } from './support/calls';
import { chain, hook, Startable, tell, waitingCall } from './support/waiting';
import { node, TRIGGER } from './support/workflows';
import { credentialData, CREDENTIAL_TYPE } from './support/world';

/** Added to the limit: n8n looks once a minute, and has much to do then. */
const AFTER_LIMIT_MS = 120_000;
/** A second run of what follows would show by then. */
const QUIET_MS = 5_000;

interface Options {
	relay: boolean;
	executions: number;
	delayMs: number;
	n8n: string;
	limitSeconds: number;
	concurrency: number | undefined;
}

function optionsGiven(): Options {
	const { values } = parseArgs({
		options: {
			relay: { type: 'boolean', default: false },
			executions: { type: 'string', default: '200' },
			delay: { type: 'string', default: '1500' },
			n8n: { type: 'string', default: newestSupported },
			limit: { type: 'string', default: '240' },
			concurrency: { type: 'string' },
		},
	});
	const whole = (name: string, text: string): number => {
		if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
		return Number(text);
	};
	return {
		relay: values.relay,
		executions: whole('executions', values.executions),
		delayMs: whole('delay', values.delay),
		n8n: values.n8n,
		limitSeconds: whole('limit', values.limit),
		concurrency:
			values.concurrency === undefined ? undefined : whole('concurrency', values.concurrency),
	};
}

/** What became of one call. */
interface Fate {
	/** What the workflow got to know of it, each time it went on. */
	told: string[];
	/** Milliseconds from the first start to the acceptance of the call, and to what followed. */
	acceptedAfter: number;
	endedAfter: number;
}

/** What became of each call, by its user data. */
function fatesIn({ accepted }: SimulatorRecord, start: number): Map<string, Fate> {
	const fates = new Map<string, Fate>();
	const bySid = new Map<string, Fate>();
	for (const each of accepted) {
		const at = Date.parse(each.at) - start;
		if (each.kind === 'call') {
			const fate: Fate = { told: [], acceptedAfter: at, endedAfter: NaN };
			fates.set(each.userData ?? '', fate);
			bySid.set(each.callSid, fate);
		} else if (each.kind === 'message') {
			const fate = bySid.get(each.datas[0]);
			fate?.told.push(each.datas[1]);
			if (fate?.told.length === 1) fate.endedAfter = at;
		}
	}
	return fates;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const largest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), 0);

function report({ executions, delayMs }: Options, fates: Map<string, Fate>): string[] {
	const all = [...fates.entries()];
	const own = all.filter(([name, { told }]) => told.includes(`completed ${name}`));
	const limited = all.filter(([, { told }]) => told.includes('timeout'));
	const several = all.filter(([, { told }]) => told.length > 1);
	const never = all.filter(([, { told }]) => told.length === 0);
	const latencies = own.map(
		([, { acceptedAfter, endedAfter }]) => endedAfter - acceptedAfter - delayMs,
	);
	return [
		`calls accepted                 ${fates.size} of ${executions}`,
		`resumed by their own result    ${own.length}`,
		`ended by the limit             ${limited.length}`,
		`went on more than once         ${several.length}`,
		`never went on                  ${never.length}`,
		`last call accepted after       ${seconds(largest(all.map(([, fate]) => fate.acceptedAfter)))}`,
		`last one resumed after         ${seconds(largest(own.map(([, fate]) => fate.endedAfter)))}`,
		`slowest from result to resume  ${seconds(largest(latencies))}`,
	];
}

async function main(): Promise<void> {
	const options = optionsGiven();
	const { relay, executions, delayMs, limitSeconds, concurrency } = options;
	const n8n = await installN8n(options.n8n, showProgress(process.stderr));
	const tarball = process.env.YUNTONGXUN_TARBALL ?? (await packTarball());
	const simulator = await startSimulator({
		callResultDelayMs: delayMs,
		checkAcknowledgements: false,
	});
	const running = await startN8n({
		n8n,
		tarball,
		caFile: simulator.caFile,
		env: concurrency === undefined ? {} : { N8N_CONCURRENCY_PRODUCTION_LIMIT: String(concurrency) },
	});
	try {
		const name = 'The simulator';
		const id = await running.rest.createCredential(
			CREDENTIAL_TYPE,
			name,
			credentialData(simulator),
		);
		const credential = { id, name };
		const world = { n8n: running, simulator, credential };

		const trigger = {
			...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger', {
				events: ['voiceNotification'],
				options: { requireSignedUrl: true },
			}),
			credentials: { [CREDENTIAL_TYPE]: credential },
			webhookId: 'relay-of-the-burst',
		};
		if (relay) {
			const workflow = await running.rest.createWorkflow(chain('Relay', trigger, tell(credential)));
			await running.rest.activate(workflow);
		}
		const relayUrl = relay ? running.rest.triggerUrl(trigger) : '';
		const burst = await Startable.activate(
			world,
			chain('Burst', hook(), waitingCall(credential, { relayUrl }), tell(credential)),
		);

		const start = Date.now();
		await Promise.all(
			Array.from({ length: executions }, async (_, at) => {
				const userData = `burst-${at}`;
				await burst.start({ to: numberEnding('0'), userData, limit: limitSeconds });
			}),
		);
		console.error(`${executions} started in ${seconds(Date.now() - start)}`);
		const finished = (): number =>
			[...fatesIn(simulator.record, start).values()].filter(({ told }) => told.length > 0).length;
		await until(
			'all executions to go on',
			() => {
				process.stderr.write(`\r${finished()} of ${executions} have gone on `);
				return finished() === executions || undefined;
			},
			{ timeoutMs: limitSeconds * 1000 + AFTER_LIMIT_MS, everyMs: 1000 },
		).catch((error: Error) => console.error(`\n${error.message}`));
		await sleep(QUIET_MS);
		process.stderr.write('\n');

		const limit =
			concurrency === undefined ? '' : `, N8N_CONCURRENCY_PRODUCTION_LIMIT=${concurrency}`;
		console.log(
			`n8n ${n8n.version}, ${executions} executions at once, results ${delayMs} ms after ` +
				`acceptance, ${relay ? 'through a relay' : 'without a relay'}${limit}`,
		);
		for (const line of report(options, fatesIn(simulator.record, start))) console.log(line);
		const statuses = new Map<string, number>();
		for (const { answer, error } of simulator.record.notifications) {
			const key = answer ? `HTTP ${answer.httpStatus}` : `no answer (${error ?? 'pending'})`;
			statuses.set(key, (statuses.get(key) ?? 0) + 1);
		}
		const words = [...statuses].map(([status, count]) => `${count} × ${status}`);
		console.log(`answers to the results         ${words.join(', ')}`);
	} finally {
		await running.stop();
		await simulator.stop();
	}
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 1;
});

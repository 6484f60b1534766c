import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';

const installed = join(
	process.env.N8N_USER_FOLDER ?? '',
	'.n8n/nodes/node_modules/n8n-nodes-yuntongxun/dist/nodes/Yuntongxun/Yuntongxun.node.js',
);
const { Yuntongxun } = createRequire(__filename)(installed) as { Yuntongxun: new () => INodeType };
const { description, execute } = new Yuntongxun();

/**
 * Our node as n8n has installed it. Its first item tells how long it executed, and the longest stop
 * of n8n's event loop meanwhile, in milliseconds of CPU time: others on this machine do not count.
 */
export class Watched implements INodeType {
	readonly description = {
		...description,
		name: 'watched',
		icon: undefined,
		properties: [
			...description.properties,
			{ displayName: 'Records', name: 'records', type: 'number' as const, default: 0 },
		],
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const records = this.getNodeParameter('records', 0) as number;
		if (records > 0) {
			const entries = Array.from({ length: records }, (_each, at) => `earlier ${at}`);
			await this.helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries' });
		}
		let [last, stopMs] = [cpuMs(), 0];
		const timer = setInterval(() => {
			const now = cpuMs();
			stopMs = Math.max(stopMs, now - last);
			last = now;
		}, 1);
		const start = performance.now();
		const outputs = (await execute?.call(this)) as INodeExecutionData[][];
		const ms = performance.now() - start;
		await sleep(5);
		clearInterval(timer);
		Object.assign(outputs[0][0].json, { ms, stopMs });
		return outputs;
	}
}

/** CPU time of n8n's main thread; Node.js 24 tells it. */
function cpuMs(): number {
	const on24 = process as unknown as { threadCpuUsage(): NodeJS.CpuUsage };
	const { user, system } = on24.threadCpuUsage();
	return (user + system) / 1000;
}

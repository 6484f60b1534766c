import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { projectFolder } from '../../../test/harness/paths';
import { buildRun, buildTry, nodeContext } from '../../../test/support/fakeN8n';
import { CREDENTIAL } from '../../../test/support/trip';
import { duration, median, recipients, type Section } from '../report';

const ITEMS = 1000;
const WARMING = 10;
const RUNS = 15;

interface Work {
	name: string;
	parameters: IDataObject;
	answer: Record<'json' | 'xml', string>;
}

/** What the node sends, and what the service answers to it: specification sections 4.2 and 4.3. */
const WORK: readonly Work[] = [
	{
		name: 'notification call',
		parameters: {
			resource: 'call',
			operation: 'notify',
			content: 'text',
			mediaTxt: 'Your order is ready',
		},
		answer: {
			json: '{"statusCode":"000000","LandingCall":{"callSid":"20260102093000123456000100000042","dateCreated":"2026-01-02 09:30:00"}}',
			xml: '<?xml version="1.0" encoding="UTF-8"?><Response><statusCode>000000</statusCode><LandingCall><callSid>20260102093000123456000100000042</callSid><dateCreated>2026-01-02 09:30:00</dateCreated></LandingCall></Response>',
		},
	},
	{
		name: 'template SMS',
		parameters: {
			resource: 'sms',
			operation: 'send',
			templateId: '100001',
			datas: ['your order'],
		},
		answer: {
			json: '{"statusCode":"000000","TemplateSMS":{"smsMessageSid":"d1e2f3a4b5c6","dateCreated":"20260102093000"}}',
			xml: '<?xml version="1.0" encoding="UTF-8"?><Response><statusCode>000000</statusCode><TemplateSMS><smsMessageSid>d1e2f3a4b5c6</smsMessageSid><dateCreated>20260102093000</dateCreated></TemplateSMS></Response>',
		},
	},
];

/** What the node itself costs, without the network and without n8n's reading of parameters. */
export async function cpuSection(): Promise<Section> {
	const { Yuntongxun } = (await import(
		resolve(projectFolder, 'dist/nodes/Yuntongxun/Yuntongxun.node.js')
	)) as { Yuntongxun: new () => INodeType };
	const node = new Yuntongxun();
	const measure = async ({ name, parameters, answer }: Work, format: 'json' | 'xml') => {
		const times: number[] = [];
		for (let run = 0; run < WARMING + RUNS; run++) {
			const context = contextFor(parameters, format, answer[format]);
			const began = cpuMs();
			const [output] = (await node.execute?.call(context)) as INodeExecutionData[][];
			times.push(cpuMs() - began);
			if (output.length !== ITEMS || output[0].json.statusCode !== '000000') {
				throw new Error(`${name}: ${JSON.stringify(output[0])}`);
			}
		}
		const ms = median(times.slice(WARMING)) / ITEMS;
		return { name: `${name}, ${format.toUpperCase()}`, ms };
	};
	const figures: Array<{ name: string; ms: number }> = [];
	for (const work of WORK) {
		for (const format of ['json', 'xml'] as const) figures.push(await measure(work, format));
	}
	return {
		title: 'CPU time an item',
		method: `The packed node in this process, ${ITEMS} items a run, with n8n's HTTP helper replaced by one that answers at once from memory. User and system time of the process, median of ${RUNS} runs.`,
		head: ['Operation, format', 'CPU an item'],
		rows: figures.map(({ name, ms }) => [name, duration(ms)]),
	};
}

/** CPU time that this process has used, in milliseconds. */
function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/** The part of n8n that the node uses, at no cost. */
function contextFor(values: IDataObject, wireFormat: string, answer: string): IExecuteFunctions {
	const inputs = recipients(ITEMS);
	const bytes = Buffer.from(answer);
	const context = {
		...nodeContext(values),
		...buildTry(buildRun(), inputs, { continues: true }),
		getExecutionId: () => '1',
		getCredentials: async () => ({ ...CREDENTIAL, wireFormat }),
		getNodeParameter: (name: string, index: number, fallback?: unknown) =>
			name === 'to' ? inputs[index].to : (values[name] ?? fallback),
		helpers: {
			httpRequestWithAuthentication: async () => ({
				statusCode: 200,
				body: Readable.from([bytes]),
			}),
		},
	};
	return context as unknown as IExecuteFunctions;
}

import { Readable } from 'node:stream';

import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { executeNode } from '../../nodes/Yuntongxun/executor/executeNode';
import { defineMessage } from '../../nodes/Yuntongxun/operation/defineOperation';
import type { Resource } from '../../nodes/Yuntongxun/operation/defineOperation';
import { parameter } from '../../nodes/Yuntongxun/operation/field';
import { OPTIONS_OF_SENDING } from '../../nodes/Yuntongxun/operation/options';
import { readFields } from '../../nodes/Yuntongxun/operation/output';
import { callNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { visibleText } from '../../nodes/Yuntongxun/operation/validators';
import { buildNode, buildRun, buildTry, nodeContext } from '../support/fakeN8n';
import { keyStore } from '../support/keyStore';
import { CREDENTIAL } from '../support/trip';

// Read this first: all that the engine needs to know of a service. This one rings at doors. What it
// may do twice, to whom and how fast, what a failure means and what a dry run shows is the engine's.

const RING: Endpoint = { name: 'Ring', root: 'Ring', essential: 'ticket', hasSideEffects: true };

const door = parameter(callNumber, {
	displayName: 'Door',
	name: 'door',
	type: 'string',
	required: true,
	default: '',
});

const melody = parameter(visibleText, {
	displayName: 'Melody',
	name: 'melody',
	type: 'string',
	default: '',
});

const ringAtDoor = defineMessage({
	value: 'ring',
	name: 'Ring',
	action: 'Ring at a door',
	description: 'Ring at a door. Returns a ticket.',
	endpoint: RING,
	fields: { door, melody },
	options: OPTIONS_OF_SENDING,
	prepare: ({ door: number, melody: tune = 'ding' }) => ({
		recipients: [number],
		maxNumbersPerRequest: 1,
		id: 'ticket',
		requestFor: (numbers) => ({ endpoint: RING, fields: { door: numbers.join(), melody: tune } }),
		outputFor: (answer) => readFields(answer, ['statusCode', 'ticket']),
		rehearsal: {
			answerFor: (ticket) => ({ statusCode: '000000', text: () => ticket, records: [] }),
		},
	}),
});

const HOUSES: Resource[] = [
	{ value: 'house', name: 'House', operations: [ringAtDoor], defaultOperation: 'ring' },
];

/** A service that keeps what it is asked to ring, and a node with one memory for all its runs. */
function openHouse() {
	const store = keyStore();
	const rung: unknown[] = [];
	const httpRequestWithAuthentication = async (_name: string, { body }: IHttpRequestOptions) => {
		rung.push(JSON.parse(String(body)));
		const answer = { statusCode: '000000', Ring: { ticket: `ticket-${rung.length}` } };
		const sent = Readable.from([Buffer.from(JSON.stringify(answer))]);
		return await Promise.resolve({ statusCode: 200, body: sent });
	};
	const run = async (doors: string[], options: IDataObject = {}) => {
		const form = { resource: 'house', operation: 'ring', melody: 'dong', options };
		const node = store.createContext();
		const context = {
			...nodeContext(form),
			...buildTry(
				buildRun(),
				[...doors.keys()].map(() => ({})),
				{ continues: true },
			),
			...node,
			getNode: () => buildNode({ parameters: { door: '={{ $json.door }}' } }),
			helpers: { ...node.helpers, httpRequestWithAuthentication },
			getNodeParameter: (name: string, index: number, fallback: unknown) =>
				name === 'door' ? doors[index] : (form[name as keyof typeof form] ?? fallback),
			getCredentials: async () => await Promise.resolve(CREDENTIAL),
			getExecutionId: () => '7',
		};
		const items = await executeNode(context as unknown as IExecuteFunctions, HOUSES);
		return items.map(({ json }) => json);
	};
	return { rung, run };
}

it('a made-up operation rings at each door, and tells the ticket of each', async () => {
	const { rung, run } = openHouse();
	expect(await run(['13800000000', '010-12345678'])).toEqual([
		{ statusCode: '000000', ticket: 'ticket-1', to: '13800000000' },
		{ statusCode: '000000', ticket: 'ticket-2', to: '01012345678' },
	]);
	expect(rung).toEqual([
		{ door: '13800000000', melody: 'dong' },
		{ door: '01012345678', melody: 'dong' },
	]);
});

it('a made-up operation rings once per ID, over runs, and only where it may', async () => {
	const { rung, run } = openHouse();
	const options = { idempotencyKey: 'parcel-42', allowedRecipients: '138*' };
	const [first] = await run(['13800000000'], options);
	const [again, stranger] = await run(['13800000000', '13900000000'], options);
	expect(first).toMatchObject({ ticket: 'ticket-1' });
	expect(again).toMatchObject({ duplicate: true, to: '13800000000' });
	expect(stranger).toMatchObject({ error: { accepted: 'no' } });
	expect(rung).toHaveLength(1);
});

it('a made-up operation is rehearsed without a sound', async () => {
	const { rung, run } = openHouse();
	expect(await run(['13800000000'], { dryRun: true })).toMatchObject([
		{ ticket: expect.stringMatching(/^0{12}/) as string, request: { melody: 'dong' } },
	]);
	expect(rung).toEqual([]);
});

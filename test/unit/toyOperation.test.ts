import { Readable } from 'node:stream';

import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { executeNode } from '../../nodes/Yuntongxun/executor/executeNode';
import {
	buildRequestTask,
	defineMessage,
	defineTask,
	readFields,
} from '../../nodes/Yuntongxun/operation/defineOperation';
import type { Resource } from '../../nodes/Yuntongxun/operation/defineOperation';
import { parameter } from '../../nodes/Yuntongxun/operation/field';
import { OPTIONS_OF_REQUEST, OPTIONS_OF_SENDING } from '../../nodes/Yuntongxun/operation/options';
import { callNumber } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { matching, spokenText } from '../../nodes/Yuntongxun/operation/validators';
import { buildNode, buildRun, buildTry, nodeContext } from '../support/fakeN8n';
import { keyStore } from '../support/keyStore';
import { CREDENTIAL } from '../support/trip';

// Read this first: all that the engine needs to know of a service. This one rings at doors. What it
// may do twice, to whom and how fast, what a failure means and what a dry run shows is the engine's.
// Most first operations only read, as `peek` does.

// `root` is the element around an XML request, and the member of the answer that has the result;
// `essential` is the field of it without which a success tells nothing (client/request.ts).
const RING: Endpoint = { name: 'Ring', root: 'Ring', essential: 'ticket', hasSideEffects: true };
const PEEK: Endpoint = { name: 'Peek', root: 'Peek', essential: 'heard', hasSideEffects: false };

// A field is a validator, which reads and checks what was entered, and what n8n draws in the form.
const door = parameter(callNumber, {
	displayName: 'Door',
	name: 'door',
	type: 'string',
	required: true,
	default: '',
});

const melody = parameter(spokenText, {
	displayName: 'Melody',
	name: 'melody',
	type: 'string',
	default: '',
});

const ticket = parameter(matching(/^[a-z0-9-]+$/, 'letters, digits and hyphens'), {
	displayName: 'Ticket',
	name: 'ticket',
	type: 'string',
	required: true,
	default: '',
});

const peekThroughDoor = defineTask({
	value: 'peek',
	name: 'Peek',
	action: 'Peek through a door',
	description: 'Ask whether somebody heard the bell',
	endpoint: PEEK,
	fields: { ticket },
	options: OPTIONS_OF_REQUEST,
	prepare: ({ ticket: id = '' }) =>
		buildRequestTask(PEEK, { ticket: id }, (answer) => readFields(answer, ['statusCode', 'heard'])),
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
		requestFor: (numbers) => ({ endpoint: RING, fields: { door: numbers.join(), melody: tune } }),
		outputFor: (answer) => readFields(answer, ['statusCode', 'ticket']),
		rehearse: () => ({
			answerFor: (madeUp) => ({ statusCode: '000000', text: () => madeUp, records: [] }),
		}),
	}),
});

const HOUSES: Resource[] = [
	{
		value: 'house',
		name: 'House',
		operations: [ringAtDoor, peekThroughDoor],
	},
];

/** A service that keeps what it is asked to ring, and a node with one memory for all its runs. */
function openHouse() {
	const store = keyStore();
	const rung: unknown[] = [];
	const httpRequestWithAuthentication = async (_name: string, { body }: IHttpRequestOptions) => {
		rung.push(JSON.parse(String(body)));
		const result = { ticket: `ticket-${rung.length}`, heard: 'yes' };
		const answer = { statusCode: '000000', Ring: result, Peek: result };
		const sent = Readable.from([Buffer.from(JSON.stringify(answer))]);
		return await Promise.resolve({ statusCode: 200, body: sent });
	};
	const run = async (doors: string[], options: IDataObject = {}, filledIn: IDataObject = {}) => {
		const form = { resource: 'house', operation: 'ring', melody: 'dong', options, ...filledIn };
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

it('a made-up operation rings once per ID across runs, and only where it is allowed to', async () => {
	const { rung, run } = openHouse();
	const options = { idempotencyKey: 'parcel-42', allowedRecipients: '138*' };
	const [first] = await run(['13800000000'], options);
	const [again, stranger] = await run(['13800000000', '13900000000'], options);
	expect(first).toMatchObject({ ticket: 'ticket-1' });
	expect(again).toMatchObject({ duplicate: true, to: '13800000000' });
	expect(stranger).toMatchObject({ error: { accepted: 'no' } });
	expect(rung).toHaveLength(1);
});

it('a made-up operation is rehearsed without a sound, and uses no ID', async () => {
	const { rung, run } = openHouse();
	const options = { idempotencyKey: 'parcel-42' };
	expect(await run(['13800000000'], { ...options, dryRun: true })).toMatchObject([
		{ ticket: expect.stringMatching(/^0{12}/) as string, request: { melody: 'dong' } },
	]);
	expect(rung).toEqual([]);
	expect(await run(['13800000000'], options)).toMatchObject([{ ticket: 'ticket-1' }]);
});

it('a made-up operation that reads asks once for each item', async () => {
	const { rung, run } = openHouse();
	const form = { operation: 'peek', ticket: 'ticket-1' };
	expect(await run(['', ''], {}, form)).toEqual([
		{ statusCode: '000000', heard: 'yes' },
		{ statusCode: '000000', heard: 'yes' },
	]);
	expect(rung).toEqual([{ ticket: 'ticket-1' }, { ticket: 'ticket-1' }]);
});

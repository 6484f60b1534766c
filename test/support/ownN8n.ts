import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { INode } from 'n8n-workflow';

import type { StoredCredential } from './engine';
import type { Answer } from './fakeN8n';
import type { ParkedExecution } from './parkedExecution';
import { runTrigger } from './webhook';

/** What n8n says of an execution that it has not parked yet. */
const RUNNING: Answer = {
	count: 1,
	status: 409,
	body: '{"code":409,"message":"The execution \\"1\\" is running already."}',
};

/** An active trigger, as n8n has it. */
interface ActiveTrigger {
	node: INode;
	workflowId: string;
	credential: StoredCredential;
}

/** An n8n that takes results, and knocks at the execution that waits for them. */
export interface OwnN8n {
	/** Its address; only within a test or a hook. */
	readonly url: string;
	activate(trigger: ActiveTrigger): void;
	/** Lets knocks through to an execution. */
	park(execution: ParkedExecution): void;
}

/** Takes what the service and the mailbox post. */
class Door {
	readonly active: ActiveTrigger[] = [];

	parked?: ParkedExecution;

	async answer(path: string, body: Buffer, socket: Socket): Promise<Answer> {
		if (!path.startsWith('/webhook-waiting/')) return await this.receive(path, body, socket);
		return this.parked ? await this.parked.knock(path) : RUNNING;
	}

	private async receive(url: string, body: Buffer, socket: Socket): Promise<Answer> {
		const trigger = this.active.find(({ node }) => url.startsWith(`/webhook/${node.webhookId}/`));
		if (!trigger) throw new Error(`Nothing is registered at ${url}`);
		return (await runTrigger({ ...trigger, trigger: trigger.node, url, body, socket })).answer;
	}
}

/** Has an n8n listen during the tests of a file, with no trigger at first. */
export function useOwnN8n(): OwnN8n {
	let door = new Door();
	const server = createServer((request, response) => {
		void buffer(request)
			.then(async (body) => await door.answer(request.url ?? '', body, request.socket))
			.then(({ status = 200, body }) => response.writeHead(status).end(body));
	});

	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	beforeEach(() => {
		door = new Door();
	});
	afterAll(async () => await new Promise((resolve) => server.close(resolve)));

	return {
		get url() {
			return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		},
		activate: (trigger) => void door.active.push(trigger),
		park: (execution) => {
			door.parked = execution;
		},
	};
}

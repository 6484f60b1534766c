import dns from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { INode } from 'n8n-workflow';

import type { StoredCredential } from './engine';
import { runTrigger } from './webhook';

/** What n8n 1.123 and 2.41 say where nothing is registered. */
const NOT_REGISTERED = JSON.stringify({
	code: 404,
	message: 'The requested webhook "POST 4f9c/yuntongxun" is not registered.',
	hint: 'The workflow must be active for a production URL to run successfully.',
});

/** An active trigger, as n8n has it. */
interface ActiveTrigger {
	node: INode;
	workflowId: string;
	credential?: StoredCredential;
}

/** The webhooks of an n8n that answers at its own public address. */
export interface OwnN8n {
	/** Its address; only within a test or a hook. */
	readonly url: string;
	activate(trigger: ActiveTrigger): void;
}

/** What an active trigger of that n8n answers. */
async function answer(active: ActiveTrigger[], path: string, body: Buffer) {
	const trigger = active.find(({ node }) => path.startsWith(`/webhook/${node.webhookId}/`));
	if (!trigger) return { status: 404, body: NOT_REGISTERED };
	const run = await runTrigger({ ...trigger, trigger: trigger.node, url: path, body });
	return { status: run.answer.status ?? 200, body: run.answer.body ?? '' };
}

/** Has n8n.example.com lead to this machine. */
function mockLookup(): void {
	const { lookup } = dns;
	jest.spyOn(dns, 'lookup').mockImplementation(((host: string, ...more: unknown[]) => {
		const name = host === 'n8n.example.com' ? '127.0.0.1' : host;
		(lookup as (...given: unknown[]) => void)(name, ...more);
	}) as typeof dns.lookup);
}

/** Has an n8n answer at n8n.example.com during the tests of a file, with no trigger at first. */
export function useOwnN8n(): OwnN8n {
	const active: ActiveTrigger[] = [];
	const server = createServer((request, response) => {
		void buffer(request)
			.then(async (body) => await answer(active, request.url ?? '', body))
			.then(({ status, body }) => response.writeHead(status).end(body));
	});

	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		mockLookup();
	});
	beforeEach(() => void active.splice(0));
	afterAll(async () => {
		jest.restoreAllMocks();
		await new Promise((resolve) => server.close(resolve));
	});

	return {
		get url() {
			return `http://n8n.example.com:${(server.address() as AddressInfo).port}`;
		},
		activate: (trigger) => void active.push(trigger),
	};
}

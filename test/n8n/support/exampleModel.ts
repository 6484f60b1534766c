import { text } from 'node:stream/consumers';
import { startLoopback, type LoopbackServer } from '../../harness/loopback';

/** What a scripted model answers: words, or a tool to use. */
export type ModelAnswer = string | { tool: string; args: Record<string, unknown> };

/** A message as an OpenAI-compatible model gets it, as far as we read it. */
export interface ModelMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
}

/** A request to the model, as far as we read it. */
export interface ModelRequest {
	messages: ModelMessage[];
	tools?: Array<{ function: { name: string; description: string } }>;
	stream?: boolean;
}

/**
 * A model behind an OpenAI-compatible address on loopback that says what a script tells it to say,
 * one answer a request.
 */
export class ScriptedModel {
	/** What it was asked, in order. */
	readonly requests: ModelRequest[] = [];
	private script: ModelAnswer[] = [];

	private server: LoopbackServer | undefined;

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel();
		model.server = await startLoopback((request, response) => {
			text(request)
				.then((body) => {
					response.setHeader('content-type', 'application/json');
					response.end(JSON.stringify(model.answer(JSON.parse(body) as ModelRequest)));
				})
				.catch((error: Error) => {
					response.writeHead(400).end(JSON.stringify({ error: { message: error.message } }));
				});
		});
		return model;
	}

	/** The address for a credential, without a trailing slash. */
	get url(): string {
		return `${this.server?.url}/v1`;
	}

	/** Forgets what it was asked, and says from now on what is given here. */
	follow(...script: ModelAnswer[]): void {
		this.requests.length = 0;
		this.script = script;
	}

	async stop(): Promise<void> {
		await this.server?.stop();
	}

	private answer(request: ModelRequest): object {
		this.requests.push(request);
		if (request.stream) throw new Error('The scripted model does not stream');
		const next = this.script.shift();
		if (next === undefined) throw new Error('The script of the model is at its end');
		const said =
			typeof next === 'string'
				? { content: next }
				: { content: null, tool_calls: [toolCall(next, this.requests.length)] };
		return {
			id: `chatcmpl-${this.requests.length}`,
			object: 'chat.completion',
			created: 1_767_225_600,
			model: 'scripted',
			choices: [
				{
					index: 0,
					message: { role: 'assistant', ...said },
					finish_reason: typeof next === 'string' ? 'stop' : 'tool_calls',
				},
			],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

const toolCall = ({ tool, args }: Exclude<ModelAnswer, string>, id: number) => ({
	id: `call_${id}`,
	type: 'function',
	function: { name: tool, arguments: JSON.stringify(args) },
});

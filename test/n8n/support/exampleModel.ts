import { json } from 'node:stream/consumers';
import { startLoopback, type LoopbackServer } from '../../harness/loopback';

/** What a scripted model answers: words, or a tool to use. */
export type ModelAnswer = string | { tool: string; args: Record<string, unknown> };

/** A request to the model, as far as we read it. */
export interface ModelRequest {
	messages: Array<{ role: 'system' | 'user' | 'assistant' | 'tool'; content: string }>;
	tools?: Array<{ function: { name: string } }>;
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
		model.server = await startLoopback(async (request, response) => {
			model.requests.push((await json(request)) as ModelRequest);
			response.setHeader('content-type', 'application/json');
			response.end(JSON.stringify(model.answer()));
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

	private answer(): object {
		const said = this.script.shift() ?? 'The script of the model is at its end';
		const isText = typeof said === 'string';
		const message = isText ? { content: said } : { content: null, tool_calls: [toolCall(said)] };
		const choice = { index: 0, message: { role: 'assistant', ...message } };
		return {
			id: `chatcmpl-${this.requests.length}`,
			object: 'chat.completion',
			created: 1_767_225_600,
			model: 'scripted',
			choices: [{ ...choice, finish_reason: isText ? 'stop' : 'tool_calls' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	}
}

const toolCall = ({ tool, args }: Exclude<ModelAnswer, string>) => ({
	id: 'call_1',
	type: 'function',
	function: { name: tool, arguments: JSON.stringify(args) },
});

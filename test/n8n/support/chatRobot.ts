import { text } from 'node:stream/consumers';
import { startLoopback, type LoopbackServer } from '../../harness/loopback';

/** A group chat's robot on loopback: it keeps what it is told to say. */
export interface ChatRobot extends LoopbackServer {
	/** The texts that it was told, in order. */
	messages: string[];
}

export async function startChatRobot(): Promise<ChatRobot> {
	const messages: string[] = [];
	const server = await startLoopback((request, response) => {
		void text(request).then((body) => {
			const message = JSON.parse(body) as {
				content?: { text?: string };
				text?: { content?: string };
			};
			messages.push(message.content?.text ?? message.text?.content ?? body);
			response.end('{}');
		});
	});
	return { ...server, messages };
}

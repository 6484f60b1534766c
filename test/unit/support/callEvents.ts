import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { isCallEvent, parseNotification } from '../../../nodes/Yuntongxun/callbacks/notification';

/** Reads a body that is no SMS push. @returns undefined if it is no notification */
export function parseCall(body: Buffer | string): CallEvent | undefined {
	const notification = parseNotification(Buffer.from(body));
	if (notification === undefined) return undefined;
	if (!isCallEvent(notification)) throw new Error('This is an SMS push');
	return notification;
}

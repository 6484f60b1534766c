import type { CallEvent } from '../../../nodes/Yuntongxun/callbacks/callEvent';
import { parseNotification } from '../../../nodes/Yuntongxun/callbacks/notification';

/** Reads a body that is no SMS push. @returns undefined if it is no notification */
export function parseCall(body: Buffer | string): CallEvent | undefined {
	const notification = parseNotification(Buffer.from(body));
	switch (notification?.event) {
		case 'smsReport':
		case 'smsReply':
			throw new Error('This is an SMS push');
		default:
			return notification;
	}
}

import type { Notification } from '../../nodes/Yuntongxun/callbacks/notification';
import { decodeBody, readNotifications } from '../../nodes/Yuntongxun/callbacks/readNotifications';

/** All that the package reads in the body of a request; undefined where it refuses it. */
export function readBody(body: Buffer | string): Notification[] | undefined {
	return readNotifications(decodeBody(Buffer.from(body)));
}

/** What the package reads in a body with one notification; undefined where it refuses it. */
export function readOne(body: Buffer | string): Notification | undefined {
	const notifications = readBody(body);
	if (notifications !== undefined && notifications.length !== 1) {
		throw new Error(`There are ${notifications.length} notifications`);
	}
	return notifications?.[0];
}

import type { IDataObject } from 'n8n-workflow';

import { outcomeOf } from './notification';
import type { Notification } from './notification';

/** Names that a notification must not set: unsafe ones, and those of this package. */
const RESERVED_NAMES = [
	'__proto__',
	'constructor',
	'prototype',
	'event',
	'userDataParsed',
	'outcome',
	'answered',
	'durationSeconds',
	'receivedAt',
];

/** The json of the item that a notification becomes. Specification section 6. */
export function resultItem(notification: Notification, receivedAt: Date): IDataObject {
	const { event, action, callSid, number, state, duration, userData, others } = notification;
	const seconds = /^\d+$/.test(duration) ? Number(duration) : null;
	const extras = Object.entries(others).filter(([name]) => !RESERVED_NAMES.includes(name));
	return {
		...Object.fromEntries(extras),
		event,
		action,
		callSid,
		number,
		state,
		duration,
		...(userData !== undefined && { userData, ...parsed(userData) }),
		outcome: outcomeOf(notification),
		answered: isAnswered(notification),
		durationSeconds: seconds,
		receivedAt: receivedAt.toISOString(),
	};
}

/** Whether somebody picked up and stayed: the line was connected for more than 0 seconds. */
export function isAnswered(notification: Notification | undefined): boolean {
	return notification?.state === '0' && !/^0+$/.test(notification.duration);
}

/** The value of user data that is a JSON object or array. */
function parsed(userData: string): IDataObject {
	if (!/^\s*[[{]/.test(userData)) return {};
	try {
		return { userDataParsed: JSON.parse(userData) as IDataObject };
	} catch {
		return {};
	}
}

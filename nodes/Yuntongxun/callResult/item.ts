import type { IDataObject } from 'n8n-workflow';

import { outcomeOf } from './notification';
import type { Notification } from './notification';

/** Names that a delivery must not give a value to: unsafe ones, and those of this package. */
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

/** What a workflow gets to see of a notification. Specification section 6. */
export function notificationItem(notification: Notification, receivedAt: Date): IDataObject {
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
		answered: state === '0' && seconds !== 0,
		durationSeconds: seconds,
		receivedAt: receivedAt.toISOString(),
	};
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

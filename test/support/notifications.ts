import { toCallEvent } from '../../nodes/Yuntongxun/callbacks/notification';
import type { CallResult, Notification } from '../../nodes/Yuntongxun/callbacks/notification';
import { readNotifications } from '../../nodes/Yuntongxun/callbacks/readNotifications';

/** The two recorded forms of docs/maintainers/service.md, "Facts 4. Pushes about SMS". */
export const REPORT = {
	action: 'SMSArrived',
	smsType: '1',
	apiVersion: '2013-12-26',
	content: '20260102093000123456000100000042',
	fromNum: '13800000000',
	dateSent: '20260102093000',
	deliverCode: 'DELIVRD',
	recvTime: '20260102093005',
	status: '0',
	reqId: 'order42',
	smsCount: '1',
};

export const REPLY = {
	action: 'SMSArrived',
	smsType: '0',
	recvTime: '20260102093100',
	apiVersion: '2013-12-26',
	fromNum: '13800000001',
	appendCode: '0007',
	content: ' Y\n',
	status: '0',
	dateSent: '20260102093058',
};

/** All that the package reads in the body of a request; undefined where it refuses it. */
export function readBody(body: Buffer | string): Notification[] | undefined {
	return readNotifications(Buffer.from(body));
}

/** What the package reads in a body with one notification; undefined where it refuses it. */
export function readOne(body: Buffer | string): Notification | undefined {
	const notifications = readBody(body);
	if (notifications !== undefined && notifications.length !== 1) {
		throw new Error(`There are ${notifications.length} notifications`);
	}
	return notifications?.[0];
}

/** The result of a call, as the trigger reads it. */
export function toResult(
	callSid: string,
	members: Record<string, string> = {},
	at = Date.now(),
): CallResult {
	const report = { action: 'SellingCall', number: '1', state: '1', duration: '0' };
	return { callEvent: toCallEvent({ ...report, callSid, ...members }), at };
}

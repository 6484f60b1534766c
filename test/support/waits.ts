import { toCallEvent } from '../../nodes/Yuntongxun/callbacks/callEvent';
import type { CallResult } from '../../nodes/Yuntongxun/callbacks/callEvent';

/** The result of a call, as the trigger reads it. */
export function toResult(
	callSid: string,
	members: Record<string, string> = {},
	at = Date.now(),
): CallResult {
	const report = { action: 'SellingCall', number: '1', state: '1', duration: '0' };
	return { callEvent: toCallEvent({ ...report, callSid, ...members }), at };
}

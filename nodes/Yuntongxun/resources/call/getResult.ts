import type { IDataObject } from 'n8n-workflow';

import { isAnswered, getOutcome, toSeconds } from '../../callbacks/notification';
import type { Answer, Endpoint } from '../../client/request';
import { defineTask, buildRequestTask } from '../../operation/defineOperation';
import { parameter } from '../../operation/field';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { lettersAndDigits } from '../../operation/validators';

const CALL_RESULT: Endpoint = {
	name: 'CallResult',
	members: ['CallResult'],
	needsMember: true,
	hasSideEffects: false,
};

const callSid = parameter(lettersAndDigits, {
	displayName: 'Call SID',
	name: 'callSid',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 15060215502645320001000300000001',
	description:
		'ID of the call (callSid). Ask at least 90 seconds after the call: an earlier answer may be wrong.',
});

/**
 * Asks how a call ended. Not in the specification, but in the vendor's SDKs. Untried against the live
 * service.
 */
export const getCallResult = defineTask({
	value: 'getResult',
	name: 'Get Result',
	action: 'Get the result of a call',
	description:
		'Ask how a call ended, at least 90 seconds after it. Returns its outcome. Do not call again because of this answer alone.',
	endpoint: CALL_RESULT,
	fields: { callSid },
	options: OPTIONS_OF_REQUEST,
	prepare({ callSid: sid }) {
		return buildRequestTask(CALL_RESULT, { callsid: sid }, (answer) =>
			buildResultOutput(answer, sid),
		);
	},
});

/**
 * The result, read as the trigger reads it: state 0 without a `callTime` counts as answered, since
 * only a duration of 0 says that nobody picked up.
 */
function buildResultOutput({ statusCode, text }: Answer, callSid: string): IDataObject {
	const state = text('state');
	const callTime = text('callTime');
	const callstate = text('callstate');
	const result = { state, duration: callTime };

	return {
		statusCode,
		callSid,
		state,
		outcome: getOutcome(result),
		answered: isAnswered(result),
		callTime,
		durationSeconds: toSeconds(callTime),
		...(callstate !== '' && { callstate }),
	};
}

import { isPlainTriggerUrl, redactUrl } from '../../callbacks/callbackUrl';
import { ACTIONS, toCallEvent } from '../../callbacks/notification';
import type { CallEventName } from '../../callbacks/notification';
import { findUnreachableHints } from '../../callbacks/reachability';
import type { Fields } from '../../client/codec';
import type { Endpoint } from '../../client/request';
import { omitUndefined } from '../../operation/defineOperation';
import type { Message, Rehearsal, ValuesOf } from '../../operation/defineOperation';
import type { ItemForm } from '../../operation/field';
import { getForeignHints } from '../../operation/phoneNumber';
import type { PhoneNumber } from '../../operation/phoneNumber';
import { ValidationError } from '../../operation/validationError';
import { answerCall, readAcceptedFields } from '../acceptedAnswer';
import type { buildDeliveryFields, DELIVERY_OPTIONS, RehearsedOutcome } from './deliveryFields';

type DeliveryValues = ValuesOf<ReturnType<typeof buildDeliveryFields> & typeof DELIVERY_OPTIONS>;

const MINUTE_MS = 60_000;

/** What happens with the result of a call. Specification section 6. */
interface ResultDelivery
	extends Pick<Message, 'hints' | 'resultTarget'>, Pick<Rehearsal, 'resultFor'> {
	/** The address that the user entered, with a token where it is a trigger's. */
	respUrl?: string;
}

/**
 * Builds the message of a call to one number. Specification sections 4 and 6.
 *
 * @param call its endpoint, the fields of its request, and the event that reports its result
 * @throws ValidationError if its result cannot be had as the form says
 */
export function buildCall(
	call: { endpoint: Endpoint; event: CallEventName; fields: Fields },
	values: DeliveryValues & { readonly to: PhoneNumber },
	item: ItemForm,
): Message {
	const { endpoint, fields } = call;
	const delivery = getResultDelivery(call.event, values, item);
	const { resultTarget, hints = [], resultFor } = delivery;
	return {
		recipients: [values.to],
		maxNumbersPerRequest: 1,
		requestFor: (_numbers, respUrl = delivery.respUrl) => ({
			endpoint,
			fields: omitUndefined({ ...fields, respUrl }),
		}),
		outputFor: (answer) => readAcceptedFields(answer, endpoint),
		hints: [...getForeignHints([values.to]), ...hints],
		resultTarget,
		rehearse: () => ({ answerFor: answerCall, showFields, resultFor }),
	};
}

/** The fields of a request as a dry run shows them: an address without its token. */
const showFields = (fields: Fields): Fields =>
	typeof fields.respUrl === 'string' ? { ...fields, respUrl: redactUrl(fields.respUrl) } : fields;

function getResultDelivery(
	event: CallEventName,
	values: DeliveryValues,
	item: ItemForm,
): ResultDelivery {
	switch (values.resultDelivery) {
		case 'url':
			return buildUrlDelivery(item, values.respUrl ?? '');
		case 'trigger':
			return { resultTarget: { kind: 'trigger', event } };
		case 'wait':
			return buildWaitDelivery(event, values, item);
		default:
			return {};
	}
}

function buildUrlDelivery(item: ItemForm, address: string): ResultDelivery {
	return {
		respUrl: isPlainTriggerUrl(address) ? item.buildStartUrl(address) : address,
		hints: findUnreachableHints(address, item.inProduction),
	};
}

/** @throws ValidationError if this call cannot wait */
function buildWaitDelivery(
	event: CallEventName,
	values: DeliveryValues,
	{ byAgent }: ItemForm,
): ResultDelivery {
	if (byAgent) {
		throw new ValidationError(
			"'When the Call Ends' is Wait for Result, which an AI agent cannot use",
			'Choose another way to get the result, or Do Nothing.',
		);
	}
	return {
		resultTarget: { kind: 'wait', event, maxWaitMs: values.waitLimit * MINUTE_MS },
		resultFor: buildRehearsedResult(event, values.rehearsedOutcome),
	};
}

/** How the service reports a rehearsed call. Specification section 6. */
const REPORTS: Record<RehearsedOutcome, { state: string; duration: string } | undefined> = {
	completed: { state: '0', duration: '12' },
	noAnswer: { state: '1', duration: '0' },
	failed: { state: '2', duration: '0' },
	timeout: undefined,
};

/** Makes the function that makes up the result of a call that ends as chosen. */
function buildRehearsedResult(
	event: CallEventName,
	outcome: RehearsedOutcome,
): Rehearsal['resultFor'] {
	const report = REPORTS[outcome];
	return ({ callSid, to }, { userData }) =>
		report && {
			callEvent: toCallEvent({
				action: ACTIONS[event],
				callSid: String(callSid),
				number: String(to),
				...report,
				...(typeof userData === 'string' && { userData }),
			}),
			at: Date.now(),
		};
}

import { ACTIONS, toCallEvent } from '../../callbacks/callEvent';
import type { CallEventName } from '../../callbacks/callEvent';
import { isPlainTriggerUrl, redactUrl } from '../../callbacks/callbackUrl';
import { findUnreachableHints } from '../../callbacks/resultUrlHints';
import type { ResultWish } from '../../callbacks/wait';
import type { ValuesOf } from '../../operation/defineOperation';
import type { ItemForm } from '../../operation/field';
import type { Rehearsal } from '../../operation/rehearsal';
import { ValidationError } from '../../operation/validationError';
import { answerCall, REHEARSED_SECONDS } from '../acceptedAnswer';
import type {
	buildDeliveryFields,
	DELIVERY_OPTIONS,
	RehearsedOutcome,
	WaitLimitUnit,
} from './deliveryFields';

type DeliveryValues = ValuesOf<ReturnType<typeof buildDeliveryFields> & typeof DELIVERY_OPTIONS>;

const UNIT_MS: Record<WaitLimitUnit, number> = {
	seconds: 1000,
	minutes: 60_000,
	hours: 3_600_000,
};

/** Maximum wait, in milliseconds: n8n cannot store a later date. */
const MAX_WAIT_MS = 365 * 24 * UNIT_MS.hours;

/** What happens with the result of a call. Specification section 6. */
export interface ResultDelivery {
	/** The address that the user entered, with a token where it is a trigger's; undefined if there is none. */
	respUrl?: string;
	/** What the call wants if the executor has to find the address; undefined otherwise. */
	resultWish?: ResultWish;
	/** What can keep the result from arriving. */
	hints: string[];
	/** What a dry run shows of the call. */
	rehearsal: Rehearsal;
}

/** What a dry run shows of a call whose result nobody awaits. */
const REHEARSAL: Rehearsal = {
	answerFor: answerCall,
	showFields: (fields) =>
		typeof fields.respUrl === 'string' ? { ...fields, respUrl: redactUrl(fields.respUrl) } : fields,
};

/**
 * Decides what happens with the result of a call.
 *
 * @param event the event that reports it
 * @throws ValidationError if that is not possible
 */
export function getResultDelivery(
	event: CallEventName,
	values: DeliveryValues,
	item: ItemForm,
): ResultDelivery {
	switch (values.resultDelivery) {
		case 'url':
			return buildUrlDelivery(item, values.respUrl ?? '');
		case 'trigger':
			return { resultWish: { kind: 'trigger', event }, hints: [], rehearsal: REHEARSAL };
		case 'wait':
			return buildWaitDelivery(event, values, item);
		default:
			return { hints: [], rehearsal: REHEARSAL };
	}
}

function buildUrlDelivery(item: ItemForm, address: string): ResultDelivery {
	return {
		respUrl: isPlainTriggerUrl(address) ? item.buildStartUrl(address) : address,
		hints: findUnreachableHints(address, item.inProduction),
		rehearsal: REHEARSAL,
	};
}

/** @throws ValidationError if this call cannot wait, or not that long */
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
	const maxWaitMs = values.waitLimit * UNIT_MS[values.waitLimitUnit];
	if (maxWaitMs > MAX_WAIT_MS) {
		throw new ValidationError("'Max Wait Time' is longer than a year", 'Use at most one year.');
	}
	const resultFor = buildRehearsedResult(event, values.rehearsedOutcome);
	return {
		resultWish: { kind: 'wait', event, maxWaitMs },
		hints: [],
		rehearsal: { ...REHEARSAL, resultFor },
	};
}

/** How the service reports a rehearsed call. Specification section 6. */
const REPORTS: Record<RehearsedOutcome, { state: string; duration: string } | undefined> = {
	completed: { state: '0', duration: REHEARSED_SECONDS },
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

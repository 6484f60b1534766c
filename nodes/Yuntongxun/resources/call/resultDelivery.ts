import { ValidationError } from '../../operation/validationError';
import { notice, option, parameter, withDefault } from '../../operation/field';
import type { ItemForm } from '../../operation/itemForm';
import type { ValuesOf } from '../../operation/defineOperation';
import { NOT_IN_TOOLS } from '../../operation/properties';
import { choice, flag, webAddress, wholeNumber } from '../../operation/validators';
import type { CallEventName } from '../../callbacks/callEvent';
import { relayedAddress } from '../../callbacks/callbackUrl';
import { MAX_CALLS } from '../../callbacks/wait';
import type { ContinueWhen, Wait } from '../../callbacks/wait';
import { unreachableReason } from './resultUrlHints';

const resultDelivery = parameter(choice, {
	displayName: 'When the Call Ends',
	name: 'resultDelivery',
	type: 'options',
	options: [
		{ name: 'Do Nothing', value: 'none', description: 'The service reports the result to nobody' },
		{
			name: 'Send Result to URL',
			value: 'url',
			description: 'The service posts the result to an address that you enter',
		},
		{
			name: 'Start the Trigger in This Workflow',
			value: 'trigger',
			description: 'The result starts this workflow again, at its Yuntongxun Trigger',
		},
		{
			name: 'Wait for Result',
			value: 'wait',
			description:
				'The execution waits and goes on with the result. With a Yuntongxun Trigger in the active (published) workflow it can wait for up to 500 calls at once, and loses none.',
			...NOT_IN_TOOLS,
		},
	],
	default: 'none',
	description: 'What happens with the result of the call',
});

const HELP = 'https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun#the-result-of-a-call';

const resultNotice = notice(
	'resultNotice',
	`Before you run this: (1) n8n must be reachable from the internet, (2) add a Yuntongxun Trigger with the same account to this workflow, and (3) activate (publish) the workflow. <a href="${HELP}" target="_blank">More</a>`,
	{ show: { resultDelivery: ['trigger', 'wait'] } },
);

const respUrl = parameter(webAddress, {
	displayName: 'Result URL',
	name: 'respUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/4f9c/call-result',
	description:
		'Address that the service posts the call result to (respUrl), such as https://n8n.example.com/webhook/4f9c/call-result. It must be reachable from the internet. Copy the Production URL from the panel of a Yuntongxun Trigger, or enter an address of another system.',
	displayOptions: { show: { resultDelivery: ['url'] } },
});

const continueWhen = withDefault(
	parameter(choice<ContinueWhen>, {
		displayName: 'Continue When',
		name: 'continueWhen',
		type: 'options',
		options: [
			{
				name: 'All Results Are In',
				value: 'allResults',
				description: 'Every call of this run has its result',
			},
			{
				name: 'First Call Is Answered',
				value: 'firstAnswered',
				description:
					'One call was answered and has ended, or all have their result. The outcome of calls still open is pending.',
			},
		],
		default: 'allResults',
		description:
			'When to go on, if this node makes several calls at once. It is judged for the run, not for each item: with two alarms in one run, an answer to either ends the wait for both.',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	}),
);

const waitLimit = withDefault(
	parameter(wholeNumber, {
		displayName: 'Max Wait Time',
		name: 'waitLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description:
			'How long to wait after the last call was placed. Calls without a result then have the outcome timeout. Without a Yuntongxun Trigger in the workflow it should be three minutes or more.',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	}),
);

const waitLimitUnit = withDefault(
	parameter(choice<keyof typeof UNIT_MS>, {
		displayName: 'Unit',
		name: 'waitLimitUnit',
		type: 'options',
		options: [
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Seconds', value: 'seconds' },
		],
		default: 'minutes',
		description: 'Unit of Max Wait Time',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	}),
);

/** Fields of both kinds of call that say what happens with the result. */
export const DELIVERY_FIELDS = {
	resultDelivery,
	resultNotice,
	respUrl,
	continueWhen,
	waitLimit,
	waitLimitUnit,
};

const signRespUrl = option(flag, {
	displayName: 'Sign Result URL',
	name: 'signRespUrl',
	type: 'boolean',
	default: false,
	description:
		'Whether to add an expiry date and a signature to the address, so that a Yuntongxun Trigger with Require Signed URL can tell real results from forged ones',
	displayOptions: { show: { '/resultDelivery': ['url', 'trigger'] } },
});

const signedUrlLifetime = withDefault(
	option(wholeNumber, {
		displayName: 'Signed URL Lifetime (Hours)',
		name: 'signedUrlLifetime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 8760 },
		default: 24,
		description: 'How long a signed address is good for, from 1 to 8760: 24 is a day',
		displayOptions: { show: { '/resultDelivery': ['url', 'trigger'] } },
	}),
);

const relayUrl = option(webAddress, {
	displayName: 'Relay URL',
	name: 'relayUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://n8n.example.com/webhook/4f9c/call-result',
	description:
		'Production URL of a Yuntongxun Trigger in another active (published) workflow, with the same account, such as https://n8n.example.com/webhook/4f9c/call-result. It passes results on to this workflow. Leave out to use the trigger in this workflow.',
	displayOptions: { show: { '/resultDelivery': ['wait'] } },
});

/** Options of both kinds of call that say what happens with the result. */
export const DELIVERY_OPTIONS = { signRespUrl, signedUrlLifetime, relayUrl };

type DeliveryValues = ValuesOf<typeof DELIVERY_FIELDS & typeof DELIVERY_OPTIONS>;

const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000 };

/** Maximum wait, in milliseconds: n8n cannot store a date further away. */
const MAX_WAIT_MS = 365 * 24 * UNIT_MS.hours;

/** How much longer than the wait an address lasts, in milliseconds: for one call, for several. */
const GRACE_MS = { one: 10 * UNIT_MS.minutes, several: 24 * UNIT_MS.hours };

/** Without a relay n8n's timer can end a later wait, the more likely the shorter the limit. */
const SHORT_WAIT_MS = 3 * UNIT_MS.minutes;

/** Where the result of a call goes. Specification section 6. */
export interface ResultDelivery {
	/** Sent with the call; undefined if nobody is to be told. */
	respUrl?: string;
	/** How to wait for the result; undefined if nothing waits. */
	wait?: Wait;
	/** What can keep the result from arriving. */
	hints: string[];
}

/**
 * Where the result of a call goes, by the form.
 *
 * @param event the kind of event that is the result
 * @throws ValidationError if the chosen way is not open
 */
export function resultDeliveryOf(
	event: CallEventName,
	values: DeliveryValues,
	item: ItemForm,
): ResultDelivery {
	switch (values.resultDelivery) {
		case 'url':
			return reported(values, item, values.respUrl ?? '', false);
		case 'trigger':
			return reported(values, item, triggerUrl(item), true);
		case 'wait':
			return waited(event, values, item);
		default:
			return { hints: [] };
	}
}

function reported(
	values: DeliveryValues,
	item: ItemForm,
	address: string,
	isOwnTrigger: boolean,
): ResultDelivery {
	const expiresAt = Date.now() + values.signedUrlLifetime * UNIT_MS.hours;
	return {
		respUrl: values.signRespUrl ? item.results.sign(address, expiresAt) : address,
		hints: addressHints(item, address, isOwnTrigger),
	};
}

function triggerUrl({ results }: ItemForm): string {
	const urls = results.triggerUrls();
	if (urls.length === 1) return urls[0];
	throw new ValidationError(
		urls.length === 0
			? "'When the Call Ends' names the trigger in this workflow, but there is no active one: add a Yuntongxun Trigger to this workflow and activate (publish) it, or choose Send Result to URL"
			: `'When the Call Ends' names the trigger in this workflow, but it has ${urls.length}: leave one, or choose Send Result to URL and paste the Production URL of the one you mean`,
	);
}

function waited(event: CallEventName, values: DeliveryValues, item: ItemForm): ResultDelivery {
	const { results } = item;
	const relay = values.relayUrl ?? results.relayUrl();
	const limit = values.waitLimit * UNIT_MS[values.waitLimitUnit];
	checkWait(item, relay, limit);
	const expiresAt = Date.now() + limit + (item.itemCount > 1 ? GRACE_MS.several : GRACE_MS.one);
	const sign = (url: string) => results.sign(url, expiresAt);
	const signed = sign(results.waitAddress());
	const wait = { event, continueWhen: values.continueWhen, limit };
	if (relay === undefined) {
		const isRisky = results.inProduction || limit < SHORT_WAIT_MS;
		const hints = [...addressHints(item, signed, false), ...(isRisky ? [WITHOUT_RELAY] : [])];
		return { respUrl: signed, wait, hints };
	}
	return {
		respUrl: sign(relayedAddress(relay, signed)),
		wait: { ...wait, relayedTo: signed },
		hints: addressHints(item, relay, values.relayUrl === undefined),
	};
}

/** For a single call; several do not go out without a relay. */
const WITHOUT_RELAY =
	"A result that arrives before n8n has stored this waiting execution is lost, which happens when many executions start at once. Add a Yuntongxun Trigger with the same account to this workflow: it then takes the results, and none is lost. It also ends short waits on time: n8n's own timer can be up to a minute late, and can end a later wait of the same execution too early.";

/** @throws ValidationError if these calls cannot wait, or not that long */
function checkWait(
	{ byAgent, itemCount: calls }: ItemForm,
	relay: string | undefined,
	limit: number,
): void {
	if (byAgent) {
		throw new ValidationError(
			"'When the Call Ends' must not be Wait for Result when an AI agent uses this tool: the agent cannot wait",
		);
	}
	if (calls > MAX_CALLS) {
		throw new ValidationError(
			`'When the Call Ends' can be Wait for Result for up to ${MAX_CALLS} calls at once, and these are ${calls}: put a Loop Over Items node with a batch size of up to ${MAX_CALLS} in front`,
		);
	}
	if (calls > 1 && relay === undefined) {
		throw new ValidationError(
			`To wait for the results of ${calls} calls at once, add a Yuntongxun Trigger with the same account to this workflow and activate (publish) it`,
		);
	}
	if (limit > MAX_WAIT_MS) throw new ValidationError("'Max Wait Time' must be a year at most");
}

/** @param isOwnTrigger whether it is that of the trigger in this workflow */
function addressHints({ results }: ItemForm, address: string, isOwnTrigger: boolean): string[] {
	const reason = unreachableReason(address, results.inProduction);
	// In a manual execution on a worker n8n does not tell whether the workflow is active.
	const mayBeInactive = isOwnTrigger && !results.inProduction && !results.knowsActive();
	return [...(reason === undefined ? [] : [reason]), ...(mayBeInactive ? [MAYBE_INACTIVE] : [])];
}

const MAYBE_INACTIVE =
	'n8n has not told whether this workflow is active. Activate (publish) it: otherwise its Yuntongxun Trigger takes no results.';

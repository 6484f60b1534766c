import { FormRefusal, option, parameter } from '../form';
import type { Field, Form } from '../form';
import type { Wait } from '../operation';
import { choice, flag, webAddress, wholeNumber } from '../rules';
import { obstacleTo } from '../../callResult/reachability';
import { relayedUrl } from '../../callResult/relay';

const resultDelivery = parameter(
	{
		displayName: 'Call Result',
		name: 'resultDelivery',
		type: 'options',
		options: [
			{
				name: 'None',
				value: 'none',
				description: 'Nobody is told how the call ended',
			},
			{
				name: 'Send to a URL',
				value: 'url',
				description: 'The service posts the result to an address that you enter',
			},
			{
				name: 'Send to the Trigger in This Workflow',
				value: 'trigger',
				description: 'The result starts this workflow again, at its Yuntongxun Trigger',
			},
			{
				name: 'Wait for It',
				value: 'wait',
				description: 'The execution waits for the result and goes on with it',
			},
		],
		default: 'none',
		description: 'What happens with the result once the call has ended',
	},
	choice,
);

const respUrl = parameter(
	{
		displayName: 'Result URL',
		name: 'respUrl',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/4f9c/call-result',
		description:
			'Address that the service posts the call result to, such as https://n8n.example.com/webhook/4f9c/call-result. It must be reachable from the internet. Copy the Production URL from the panel of a Yuntongxun Trigger, or enter an address of another system.',
		displayOptions: { show: { resultDelivery: ['url'] } },
	},
	webAddress,
);

const waitLimit = parameter(
	{
		displayName: 'Limit Wait Time',
		name: 'waitLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description:
			'How long to wait for the result at most. After that the workflow goes on, and outcome is timeout. n8n looks once a minute, so a limit below 70 seconds can end up to a minute late.',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	},
	wholeNumber,
);

const waitLimitUnit = parameter(
	{
		displayName: 'Unit',
		name: 'waitLimitUnit',
		type: 'options',
		options: [
			{ name: 'Hours', value: 'hours' },
			{ name: 'Minutes', value: 'minutes' },
			{ name: 'Seconds', value: 'seconds' },
		],
		default: 'minutes',
		description: 'Unit of Limit Wait Time',
		displayOptions: { show: { resultDelivery: ['wait'] } },
	},
	choice,
);

/** Fields of both kinds of call that say what happens with the result. */
export const DELIVERY_FIELDS: ReadonlyArray<Field<unknown>> = [
	resultDelivery,
	respUrl,
	waitLimit,
	waitLimitUnit,
];

const signRespUrl = option(
	{
		displayName: 'Sign Result URL',
		name: 'signRespUrl',
		type: 'boolean',
		default: false,
		description:
			'Whether to add an expiry date and a signature to the address, so that a Yuntongxun Trigger with Require Signed URL can tell real results from forged ones',
		displayOptions: { show: { '/resultDelivery': ['url', 'trigger'] } },
	},
	flag,
);

const signedUrlLifetime = option(
	{
		displayName: 'Signed URL Lifetime',
		name: 'signedUrlLifetime',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 8760 },
		default: 24,
		description: 'How many hours a signed address is good for, from 1 to 8760 (a year)',
		displayOptions: { show: { '/resultDelivery': ['url', 'trigger'] } },
	},
	wholeNumber,
);

const relayUrl = option(
	{
		displayName: 'Relay URL',
		name: 'relayUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://n8n.example.com/webhook/4f9c/call-result',
		description:
			'Production URL of a Yuntongxun Trigger in an active (published) workflow, with the same account in its credential, such as https://n8n.example.com/webhook/4f9c/call-result. It takes the result at once and hands it on as soon as n8n is ready, so that none is lost when many calls wait.',
		displayOptions: { show: { '/resultDelivery': ['wait'] } },
	},
	webAddress,
);

/** Options of both kinds of call that say what happens with the result. */
export const DELIVERY_OPTIONS: ReadonlyArray<Field<unknown>> = [
	signRespUrl,
	signedUrlLifetime,
	relayUrl,
];

const UNIT_MS: Record<string, number> = { seconds: 1000, minutes: 60_000, hours: 3_600_000 };

/** The longest wait, since a date further away is none that n8n can store. */
const LONGEST_WAIT_MS = 365 * 24 * UNIT_MS.hours;

/** How much longer than the wait its address is good for. */
const GRACE_MS = 10 * UNIT_MS.minutes;

/** Where the result of a call goes. Specification section 6. */
export interface ResultDelivery {
	/** Sent with the call; undefined where nobody is to be told. */
	respUrl?: string;
	wait?: Wait;
	/** What keeps the result from arriving, as far as can be seen. */
	hints: string[];
}

/** @throws FormRefusal where the chosen way is not open */
export function resultDeliveryOf(form: Form): ResultDelivery {
	const way = resultDelivery.read(form) ?? 'none';
	return WAYS[way](form, Date.now());
}

const WAYS: Record<string, (form: Form, now: number) => ResultDelivery> = {
	none: () => ({ hints: [] }),
	url: (form, now) => reported(form, respUrl.read(form) ?? '', now),
	trigger: (form, now) => reported(form, triggerUrl(form), now),
	wait: waited,
};

function reported(form: Form, address: string, now: number): ResultDelivery {
	const hours = signedUrlLifetime.read(form) ?? Number(signedUrlLifetime.property.default);
	const signed = signRespUrl.read(form)
		? form.results.sign(address, now + hours * UNIT_MS.hours)
		: address;
	return { respUrl: signed, hints: hintsFor(form, address) };
}

function triggerUrl({ results }: Form): string {
	const urls = results.triggerUrls();
	if (urls.length === 1) return urls[0];
	throw new FormRefusal(
		urls.length === 0
			? "'Call Result' names the trigger of this workflow, but there is no active one: add a Yuntongxun Trigger to this workflow and activate (publish) it, or choose Send to a URL"
			: `'Call Result' names the trigger of this workflow, but it has ${urls.length}: leave one, or choose Send to a URL and paste the Production URL of the one you mean`,
	);
}

function waited(form: Form, now: number): ResultDelivery {
	if (form.byAgent) {
		throw new FormRefusal(
			"'Call Result' must not be Wait for It when an AI agent uses this tool: the agent cannot wait",
		);
	}
	if (form.itemCount > 1) {
		throw new FormRefusal(
			`'Call Result' can be Wait for It for one item at a time, and these are ${form.itemCount}: put a Loop Over Items node with batch size 1 in front`,
		);
	}
	const unit = UNIT_MS[waitLimitUnit.read(form) ?? 'minutes'];
	const limit = (waitLimit.read(form) ?? Number(waitLimit.property.default)) * unit;
	if (limit > LONGEST_WAIT_MS) throw new FormRefusal("'Limit Wait Time' must be a year at most");
	const sign = (url: string) => form.results.sign(url, now + limit + GRACE_MS);
	const resume = form.results.resumeUrl();
	const relay = relayUrl.read(form);
	const resumeUrl = sign(resume);
	return {
		respUrl: relay === undefined ? resumeUrl : sign(relayedUrl(relay, resumeUrl)),
		wait: { until: new Date(now + limit), resumeUrl },
		hints: hintsFor(form, relay ?? resume),
	};
}

function hintsFor({ results }: Form, address: string): string[] {
	const obstacle = obstacleTo(address, results.inProduction);
	return obstacle === undefined ? [] : [obstacle];
}

import type { IHttpRequestMethods } from 'n8n-workflow';

import { operationUrl } from './account';
import type { ServiceAccount } from './account';
import { decide, SUCCESS } from './decisions';
import type { Reply } from './decisions';
import { ServiceFailure } from './failure';
import type { Accepted } from './failure';
import { isMembers, textOf } from './members';
import type { Members } from './members';
import { meaningOf } from './statusCodes';
import { exchange } from './transport';
import type { HttpAnswer, HttpHelper } from './transport';
import { decode, encode, MEDIA_TYPES } from './wireFormat';
import type { Fields, WireFormat } from './wireFormat';

/** One operation of the service as it goes over the wire. Specification section 4. */
export interface Endpoint {
	/** The operation's name in the specification. */
	name: string;
	method: IHttpRequestMethods;
	/** What follows the account in the path. */
	path: string;
	/** Root element of an XML request; a GET has none. */
	root?: string;
	/** Member of the answer that holds the result. */
	member?: string;
	/** Field without which a success tells nothing. */
	essential?: string;
	/** Field without which a record of the result tells nothing, where there can be several. */
	essentialOfEach?: string;
	/** Whether it calls, sends, creates or closes: such a request must never go out twice. */
	changes: boolean;
}

export interface ServiceRequest {
	endpoint: Endpoint;
	fields: Fields;
}

/** An answer with status code `000000` and what is essential in it. */
export interface Answer {
	statusCode: string;
	/** A field of the result, without the blanks around it; empty where it is not there. */
	text(name: string): string;
	/** The objects of the result, where there can be several. */
	records: Members[];
}

/** One request in, one checked answer out; a {@link ServiceFailure} otherwise. */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/**
 * Makes the function that talks to the service. Specification sections 1, 4, 5 and 7.
 *
 * @param timeout milliseconds for a whole exchange
 */
export function serviceClient(
	account: ServiceAccount,
	http: HttpHelper,
	format: WireFormat,
	timeout: number,
): Send {
	const { accept, contentType } = MEDIA_TYPES[format];
	return async ({ endpoint, fields }) => {
		const body = endpoint.root && encode(format, endpoint.root, fields);
		const answer = await exchange(
			http,
			{
				method: endpoint.method,
				url: operationUrl(account, endpoint.path),
				headers: {
					Accept: accept,
					'Content-Type': contentType,
					'Content-Length': String(Buffer.byteLength(body ?? '')),
				},
				body,
			},
			timeout,
		);
		return 'sent' in answer
			? fail({ sent: answer.sent }, answer, endpoint)
			: read(answer, endpoint, account);
	};
}

/** A request that did not succeed, in words. */
interface Verdict {
	happened: string;
	advice: string;
	statusMsg?: string;
}

function fail(reply: Reply, verdict: Verdict, { changes }: Endpoint): never {
	const { accepted, again } = decide(reply);
	const { happened, advice, statusMsg = '' } = verdict;
	throw new ServiceFailure({
		happened,
		advice: [advice, changes ? CONSEQUENCE[accepted] : ''].filter(Boolean).join(' '),
		statusCode: 'statusCode' in reply ? reply.statusCode : '',
		statusMsg,
		...(changes && { accepted }),
		...(again && { overload: true }),
	});
}

/** What follows from it for whoever thinks of sending again. */
const CONSEQUENCE: Record<Accepted, string> = {
	no: '',
	unknown:
		'Nobody can tell whether it was accepted: look in the Yuntongxun console before you send it again.',
	yes: 'It was accepted, so do not send it again.',
	partly: '',
};

function read({ status, text }: HttpAnswer, endpoint: Endpoint, account: ServiceAccount): Answer {
	const members = membersOf(text);
	const statusCode = textOf(members, 'statusCode');
	if (statusCode === '') return fail({ httpStatus: status }, unreadable(status), endpoint);
	if (statusCode !== SUCCESS) {
		const statusMsg = textOf(members, 'statusMsg');
		return fail({ statusCode }, refusal(statusCode, statusMsg, account), endpoint);
	}
	const records = recordsOf(members, endpoint.member);
	const answer: Answer = {
		statusCode,
		text: (name) => textOf(records[0] ?? {}, name) || textOf(members, name),
		records,
	};
	const lacking = lackingIn(answer, endpoint);
	if (lacking !== undefined) {
		const happened = `The service reports success, but its answer lacks ${lacking}`;
		return fail({ statusCode }, { happened, advice: '' }, endpoint);
	}
	return answer;
}

/** The field that is not there though it is essential; undefined where nothing lacks. */
function lackingIn(
	answer: Answer,
	{ essential, essentialOfEach: each }: Endpoint,
): string | undefined {
	if (essential !== undefined && answer.text(essential) === '') return essential;
	const isLacking = each !== undefined && answer.records.some((one) => textOf(one, each) === '');
	return isLacking ? each : undefined;
}

function membersOf(text: string): Members {
	try {
		return decode(text);
	} catch {
		return {};
	}
}

/** The member's name varies in case between the formats; it holds one object or a list. */
function recordsOf(members: Members, name = ''): Members[] {
	const key = Object.keys(members).find((own) => own.toLowerCase() === name.toLowerCase());
	return key === undefined ? [] : [members[key]].flat().filter(isMembers);
}

function refusal(statusCode: string, statusMsg: string, account: ServiceAccount): Verdict {
	const meaning = meaningOf(statusCode) ?? {
		happened: 'The service refused the request for a reason this node does not know',
		advice: 'Its own words stand below; the Yuntongxun support can explain the code.',
	};
	const advice = NAMES_BASE_URL.has(statusCode)
		? `${meaning.advice} The Base URL in use is ${account.baseUrl.origin}.`
		: meaning.advice;
	return { ...meaning, advice, statusMsg };
}

/** Codes that credentials of the sandbox get from production, and the other way round. */
const NAMES_BASE_URL = new Set(['111109', '111141', '111143']);

const NOT_THE_SERVICE =
	'The answer does not come from the service. Check the Base URL in the credential, and any proxy or firewall on the way.';

/** Answers that are none of the service's. The first row whose statuses hold the answer's counts. */
const HTTP_ANSWERS: ReadonlyArray<readonly [from: number, to: number, string, string]> = [
	[300, 399, 'The address points to another one', NOT_THE_SERVICE],
	[401, 401, 'The address asks for another login', NOT_THE_SERVICE],
	[403, 403, 'The address does not let this n8n in', NOT_THE_SERVICE],
	[404, 405, 'There is no such service at this address', NOT_THE_SERVICE],
	[
		429,
		429,
		'The address takes no more requests right now',
		'Nothing was sent on. Wait before you send it again.',
	],
	[500, 599, 'The service was not able to answer', ''],
];

function unreadable(status: number): Verdict {
	const row = HTTP_ANSWERS.find(([from, to]) => from <= status && status <= to);
	if (!row) return { happened: 'The answer cannot be read', advice: NOT_THE_SERVICE };
	const [, , happened, advice] = row;
	return { happened: `${happened} (HTTP ${status})`, advice };
}

import type { IDataObject } from 'n8n-workflow';

import { NotBegun } from '../../execution/items';
import type { Result } from '../../execution/items';
import type { Answer } from '../../service/client';
import { ServiceFailure } from '../../service/failure';
import type { Accepted, FailureFacts } from '../../service/failure';
import { fieldsOf, isoDate } from '../output';
import { MAX_NUMBERS } from '../phoneNumber';

/** What became of one request. */
type Sent = { answer: Answer } | { thrown: unknown };

/** Numbers of an item that one request carried. */
interface Share {
	numbers: string[];
	sent: Sent;
}

/**
 * Sends one text to the numbers of several items, in as few requests as can be. A number that
 * several of them name gets one message. Specification sections 4.3 and 8.
 *
 * @param items numbers of each item, each once
 * @param send makes one request, for at most {@link MAX_NUMBERS} numbers
 * @returns a result for each item; never rejects
 */
export async function textAll(
	items: string[][],
	send: (numbers: string[]) => Promise<Answer>,
): Promise<Result[]> {
	const parts = partsOf(items);
	const sent = await Promise.all(parts.map(async (numbers) => await settle(send(numbers))));
	const carriers = new Map<string, Sent>();
	parts.forEach((numbers, part) => {
		for (const number of numbers) carriers.set(number, sent[part]);
	});
	return items.map((numbers) => resultOf(numbers, sharesOf(numbers, carriers)));
}

async function settle(answer: Promise<Answer>): Promise<Sent> {
	try {
		return { answer: await answer };
	} catch (thrown) {
		return { thrown };
	}
}

/**
 * The numbers of each request. An item's numbers stay together where they fit into one request.
 *
 * @param items numbers of each item, each once
 */
export function partsOf(items: string[][]): string[][] {
	const parts: string[][] = [];
	const seen = new Set<string>();
	for (const numbers of items) {
		const fresh = numbers.filter((number) => !seen.has(number));
		for (const number of fresh) seen.add(number);
		for (let start = 0; start < fresh.length; start += MAX_NUMBERS) {
			const piece = fresh.slice(start, start + MAX_NUMBERS);
			const last = parts[parts.length - 1];
			if (last !== undefined && last.length + piece.length <= MAX_NUMBERS) last.push(...piece);
			else parts.push(piece);
		}
	}
	return parts;
}

/** Which requests carried the numbers of an item, in the order of its numbers. */
function sharesOf(numbers: string[], carriers: Map<string, Sent>): Share[] {
	const shares = new Map<Sent, Share>();
	for (const number of numbers) {
		const sent = carriers.get(number) as Sent;
		const share = shares.get(sent) ?? { numbers: [], sent };
		share.numbers.push(number);
		shares.set(sent, share);
	}
	return [...shares.values()];
}

function resultOf(numbers: string[], shares: Share[]): Result {
	const failed = shares.flatMap(({ sent }) => ('thrown' in sent ? [sent.thrown] : []));
	const sentFor = failed.filter((thrown) => !(thrown instanceof NotBegun));
	if (failed.length === shares.length && sentFor.length === 0) return 'notBegun';
	const messages = shares.map(messageOf);
	if (failed.length > 0) {
		return {
			thrown: messages.length > 1 ? jointFailure(sentFor[0] ?? failed[0], messages) : failed[0],
		};
	}
	const { statusCode, smsMessageSid, dateCreated } = messages[0];
	return {
		output: [
			{
				statusCode,
				smsMessageSid,
				dateCreated,
				...isoDate('createdAt', String(dateCreated)),
				to: numbers.join(','),
				...(messages.length > 1 && { messages }),
			},
		],
	};
}

/** What became of one of several requests. */
function messageOf({ numbers, sent }: Share): IDataObject {
	const to = numbers.join(',');
	if ('answer' in sent) {
		const fields = fieldsOf(sent.answer, ['statusCode', 'smsMessageSid', 'dateCreated']);
		return { to, ...fields, statusMsg: '', accepted: 'yes' };
	}
	const { statusCode, statusMsg, accepted } = factsOf(sent.thrown);
	return { to, statusCode, smsMessageSid: '', dateCreated: '', statusMsg, accepted };
}

/** What failed first, with what became of all the requests. */
function jointFailure(first: unknown, messages: IDataObject[]): ServiceFailure {
	const facts = factsOf(first);
	const accepted = jointly(new Set(messages.map((message) => message.accepted)));
	const advice = accepted === 'partly' ? `${facts.advice} ${PARTLY}`.trim() : facts.advice;
	return new ServiceFailure({ ...facts, advice, accepted, messages });
}

const PARTLY =
	'Other requests of the same item were accepted: the list of messages says which numbers they were for.';

function jointly(ways: Set<unknown>): Accepted {
	if (ways.has('yes')) return ways.size === 1 ? 'yes' : 'partly';
	return ways.has('unknown') ? 'unknown' : 'no';
}

function factsOf(thrown: unknown): FailureFacts {
	if (thrown instanceof ServiceFailure) return thrown.facts;
	const begun = !(thrown instanceof NotBegun);
	return {
		happened: begun
			? 'Something unforeseen happened'
			: 'The run stopped before all numbers were sent to',
		advice: '',
		statusCode: '',
		statusMsg: '',
		accepted: begun ? 'unknown' : 'no',
	};
}

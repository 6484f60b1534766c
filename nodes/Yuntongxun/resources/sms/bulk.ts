import type { IDataObject } from 'n8n-workflow';

import { RunStopped } from '../../execution/notBegun';
import type { Answer } from '../../client/client';
import { ServiceFailure } from '../../client/serviceFailure';
import type { Accepted, FailureFacts } from '../../client/serviceFailure';
import { fieldsOf, isoDate } from '../../operation/output';
import { MAX_NUMBERS } from '../../operation/phoneNumber';

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
 * @param send makes one request; gets the positions of the items that it is for, and what tells
 * the numbers, at most {@link MAX_NUMBERS}, of those that are admitted
 * @returns the output of each item; rejects with ServiceFailure, or with RunStopped where the run
 * had stopped before any of its requests
 */
export function textAll(
	items: string[][],
	send: (
		members: number[],
		numbersFor: (admitted: readonly number[]) => string[],
	) => Promise<Answer>,
): Array<Promise<IDataObject[]>> {
	const carriers = new Map<string, Promise<Sent>>();
	for (const { numbers, members } of withMembers(partsOf(items), items)) {
		const sent = tried(
			send(members, (admitted) => {
				const wanted = new Set(admitted.flatMap((member) => items[member]));
				return numbers.filter((number) => wanted.has(number));
			}),
		);
		for (const number of numbers) carriers.set(number, sent);
	}
	return items.map(async (numbers) => outputOf(numbers, await sharesOf(numbers, carriers)));
}

/** Adds to each part the positions of all items that name one of its numbers. */
function withMembers(
	parts: string[][],
	items: string[][],
): Array<{ numbers: string[]; members: number[] }> {
	const partOf = new Map<string, number>();
	parts.forEach((numbers, part) => numbers.forEach((number) => partOf.set(number, part)));
	const members = parts.map((): number[] => []);
	items.forEach((numbers, position) => {
		for (const part of new Set(numbers.map((number) => partOf.get(number) as number))) {
			members[part].push(position);
		}
	});
	return parts.map((numbers, part) => ({ numbers, members: members[part] }));
}

async function tried(answer: Promise<Answer>): Promise<Sent> {
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
async function sharesOf(numbers: string[], carriers: Map<string, Promise<Sent>>): Promise<Share[]> {
	const shares = new Map<Sent, Share>();
	for (const number of numbers) {
		const sent = (await carriers.get(number)) as Sent;
		const share = shares.get(sent) ?? { numbers: [], sent };
		share.numbers.push(number);
		shares.set(sent, share);
	}
	return [...shares.values()];
}

/** @throws what failed first, with what became of all requests */
function outputOf(numbers: string[], shares: Share[]): IDataObject[] {
	const failed = shares.flatMap(({ sent }) => ('thrown' in sent ? [sent.thrown] : []));
	const begun = failed.filter((thrown) => !(thrown instanceof RunStopped));
	if (failed.length === shares.length && begun.length === 0) throw failed[0];
	const messages = shares.map(messageOf);
	if (failed.length > 0) {
		throw messages.length > 1 ? jointFailure(begun[0] ?? failed[0], messages) : failed[0];
	}
	const { statusCode, smsMessageSid, dateCreated } = messages[0];
	return [
		{
			statusCode,
			smsMessageSid,
			dateCreated,
			...isoDate('createdAt', String(dateCreated)),
			to: numbers.join(','),
			...(messages.length > 1 && { messages }),
		},
	];
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
	const begun = !(thrown instanceof RunStopped);
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

import type { IDataObject } from 'n8n-workflow';

import type { Field } from './field';
import type { ItemForm } from './itemForm';
import type { Wait } from '../callbacks/wait';
import { ValidationError } from './validationError';
import type { Answer, Endpoint, Send, ServiceRequest } from '../client/client';
import type { Fields } from '../client/codec';
import type { TokenUsage } from './tokenUsage';

/** Operations on one kind of thing. */
export interface Resource {
	/** What saved workflows hold. */
	value: string;
	/** Label in the list of resources. */
	name: string;
	/** In the order of the list of operations. */
	operations: readonly Operation[];
	/** The operation chosen at first. */
	defaultOperation: string;
}

/** Fields by the name that `prepare` reads them under, in the order of the form. */
export type FieldSet = Record<string, Field<unknown>>;

/** What fields hold. Each is read and checked when it is asked for. */
export type ValuesOf<Set extends FieldSet> = {
	readonly [Name in keyof Set]: Set[Name] extends Field<infer Value> ? Value : never;
};

/** One operation, with everything about it. */
export interface Operation {
	/** What saved workflows hold. */
	value: string;
	/** Label in the list of operations. */
	name: string;
	/** Label in the nodes panel, and what an AI agent goes by. */
	action: string;
	description: string;
	/** The first operation of the service that it calls; undefined if it makes no request. */
	endpoint?: Endpoint;
	fields: FieldSet;
	/** Fields that the user can add under Options. */
	options: FieldSet;
	/** Why an AI agent must not use it; undefined if it may. Then the tool does not offer it either. */
	notForAgents?: string;
	/** Reads and checks one item's form before anything is sent. @throws ValidationError */
	prepare(item: ItemForm): Task;
}

/**
 * Ties the request of an operation to its form: `prepare` can only read fields that the form shows.
 *
 * @returns the operation as the table of resources holds it
 */
export function defineOperation<Fields extends FieldSet, Options extends FieldSet>({
	prepare,
	...parts
}: Omit<Operation, 'prepare'> & {
	fields: Fields;
	options: Options;
	/** @param values of the fields and options above, and of no others */
	prepare(values: ValuesOf<Fields & Options>, item: ItemForm): Task;
}): Operation {
	const { fields, options, notForAgents } = parts;
	return {
		...parts,
		prepare(item) {
			if (item.byAgent && notForAgents !== undefined) throw new ValidationError(notForAgents);
			const values = {};
			for (const [name, field] of Object.entries({ ...fields, ...options })) {
				Object.defineProperty(values, name, { get: () => field.read(item) });
			}
			return prepare(values as ValuesOf<Fields & Options>, item);
		},
	};
}

/** What one item is to do, checked: work of its own, or a message to phone numbers. */
export type Task = OwnWork | Message;

/** Work that reaches nobody's phone: one item, any number of requests. */
export interface OwnWork {
	/** What the user should know though nothing is wrong. */
	hints?: string[];
	/**
	 * Sends the requests, if there are any, and gives the output.
	 *
	 * @param attempts what this node remembers of verification tokens
	 * @throws ServiceFailure
	 */
	complete(send: Send, attempts: TokenUsage): Promise<IDataObject[]>;
	recipients?: undefined;
}

/** A call or an SMS. The executor decides, number by number, right before the request, who gets it. */
export interface Message {
	/** What the user should know though nothing is wrong. */
	hints?: string[];
	/** In the order of the list, each number once. */
	recipients: MessageRecipient[];
	/** Undefined for calls: one request and one output item for each number. */
	together?: SharedRequests;
	/** @param numbers some of the recipients; one of them unless they go together */
	requestFor(numbers: string[]): ServiceRequest;
	/** The json for numbers that an accepted request has reached. */
	outputFor(answer: Answer, numbers: string[]): IDataObject;
	/** Members of the error of a request that may have been accepted. */
	errorFields?: IDataObject;
	/** The text that the phone numbers get, for a dry run; undefined if the form does not tell. */
	preview?: { preview: string; characters: number };
	/** How the execution waits for the result; undefined if it does not. */
	wait?: Wait;
}

/** An entry of the list of numbers. */
export interface MessageRecipient {
	/** The number, or what stands in its place. */
	to: string;
	/** Its place in the list as it was entered, counted from 1. */
	place?: number;
	/** Why this entry is not reached though others are; its text names the place in the list. */
	refusal?: Error;
}

/** How numbers of SMS share requests and one output item. */
export interface SharedRequests {
	/** Items with equal keys can share requests, too. */
	batchKey: string;
	/** Most numbers that one request may name. */
	maxNumbers: number;
}

/**
 * A task of one request and one output item.
 *
 * @param fields of the request; undefined ones are left out
 * @param output makes the item's json from the answer
 */
export function singleRequest(
	endpoint: Endpoint,
	fields: Record<string, string | string[] | undefined>,
	output: (answer: Answer) => IDataObject,
): OwnWork {
	const request = { endpoint, fields: definedFields(fields) };
	return { complete: async (send) => [output(await send(request))] };
}

/**
 * The fields of a request; undefined ones are left out.
 *
 * @param fields of the form that the service takes as they are, under their own names
 * @param values of the form
 * @param others that the service gets
 */
export function fieldsToSend<Name extends string>(
	fields: Record<Name, Field<unknown>>,
	values: Readonly<Record<NoInfer<Name>, Fields[string] | undefined>>,
	others: Record<string, Fields[string] | undefined> = {},
): Fields {
	const names = Object.keys(fields) as Name[];
	const own = Object.fromEntries(names.map((name) => [name, values[name]]));
	return definedFields({ ...own, ...others });
}

/** The fields that hold something. */
export function definedFields(fields: Record<string, string | string[] | undefined>): Fields {
	const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(defined) as Fields;
}

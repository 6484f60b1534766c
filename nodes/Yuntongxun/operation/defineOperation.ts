import type { IDataObject } from 'n8n-workflow';

import type { ResultWish } from '../callbacks/wait';
import type { Answer, Endpoint, Send, ServiceRequest } from '../client/client';
import type { Fields } from '../client/codec';
import type { Field } from './field';
import type { ItemForm } from './itemForm';
import type { TokenUsage } from './tokenUsage';
import { ValidationError } from './validationError';

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

/** What fields hold, read and checked. */
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
	/**
	 * Reads and checks each field that the form shows, once, in the order of the form. The other
	 * fields are undefined.
	 *
	 * @throws ValidationError
	 */
	readValues(item: ItemForm): FormValues;
	/**
	 * Says what an item is to do, before anything is sent.
	 *
	 * @param values of this form; read anew unless given
	 * @throws ValidationError
	 */
	prepare(item: ItemForm, values?: FormValues): Task;
}

/** What the fields of an operation hold, by name. */
export type FormValues = Readonly<Record<string, unknown>>;

/**
 * Ties the request of an operation to its form: `prepare` can only read fields that the form shows.
 *
 * @returns the operation as the table of resources holds it
 */
export function defineOperation<Fields extends FieldSet, Options extends FieldSet>({
	prepare,
	...parts
}: Omit<Operation, 'prepare' | 'readValues'> & {
	fields: Fields;
	options: Options;
	/** @param values of the fields and options above, and of no others */
	prepare(values: ValuesOf<Fields & Options>, item: ItemForm): Task;
}): Operation {
	const { fields, options, notForAgents } = parts;
	const inOrder = Object.entries<Field<unknown>>({ ...fields, ...options });

	const readValues = (item: ItemForm): FormValues => {
		if (item.byAgent && notForAgents !== undefined) throw new ValidationError(notForAgents);
		return Object.fromEntries(inOrder.map(([name, field]) => [name, field.read(item)]));
	};
	return {
		...parts,
		readValues,
		prepare: (item, values = readValues(item)) =>
			prepare(values as ValuesOf<Fields & Options>, item),
	};
}

/** What one item is to do, checked: work of its own, or a message to phone numbers. */
export type Task = DirectTask | Message;

/** Work that reaches nobody's phone: one item, any number of requests. */
export interface DirectTask {
	kind: 'direct';
	/** What the user should know though nothing is wrong. */
	hints?: string[];
	/**
	 * Sends the requests, if there are any, and gives the output.
	 *
	 * @param tokenUsage what this node remembers of verification tokens
	 * @throws ServiceFailure
	 */
	run(send: Send, tokenUsage: TokenUsage): Promise<IDataObject[]>;
}

/** A call or an SMS. The executor decides, number by number, right before the request, who gets it. */
export interface Message {
	kind: 'message';
	/** What the user should know though nothing is wrong. */
	hints?: string[];
	/** Phone numbers in the order of the list, each once. */
	recipients: string[];
	/** How many of them one request may name; 1 for calls. */
	maxNumbersPerRequest: number;
	/** Equal for items that send the same text; undefined where items cannot share a list of numbers. */
	textId?: string;
	/**
	 * @param numbers the recipients that one request names
	 * @param respUrl where the service is to report the result, for a task that wishes it
	 */
	requestFor(numbers: string[], respUrl?: string): ServiceRequest;
	/** The json for numbers that an accepted request has reached. */
	outputFor(answer: Answer, numbers: string[]): IDataObject;
	/** Members of the error of a request that may have been accepted. */
	errorFields?: IDataObject;
	/** The text that the phone numbers get, for a dry run; undefined if the form does not tell. */
	preview?: { preview: string; characters: number };
	/** What is to become of the result, where that takes an address of this n8n. */
	resultWish?: ResultWish;
}

/**
 * A task of one request and one output item.
 *
 * @param fields of the request; undefined ones are left out
 * @param output makes the item's json from the answer
 */
export function buildSingleRequest(
	endpoint: Endpoint,
	fields: Record<string, string | string[] | undefined>,
	output: (answer: Answer) => IDataObject,
): DirectTask {
	const request = { endpoint, fields: omitUndefined(fields) };
	return { kind: 'direct', run: async (send) => [output(await send(request))] };
}

/**
 * The fields of a request; undefined ones are left out.
 *
 * @param fields of the form that the service takes as they are, under their own names
 * @param values of the form
 * @param others that the service gets
 */
export function buildFields<Name extends string>(
	fields: Record<Name, Field<unknown>>,
	values: Readonly<Record<NoInfer<Name>, Fields[string] | undefined>>,
	others: Record<string, Fields[string] | undefined> = {},
): Fields {
	const names = Object.keys(fields) as Name[];
	const own = Object.fromEntries(names.map((name) => [name, values[name]]));
	return omitUndefined({ ...own, ...others });
}

/** The fields that hold something. */
export function omitUndefined(fields: Record<string, string | string[] | undefined>): Fields {
	const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(defined) as Fields;
}

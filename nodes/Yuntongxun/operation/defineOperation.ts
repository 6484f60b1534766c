import type { IDataObject } from 'n8n-workflow';

import type { CallResult } from '../callbacks/notification';
import type { Fields } from '../client/codec';
import type { Answer, Endpoint, Send, ServiceRequest } from '../client/request';
import type { ResultTarget } from '../waiting/resultTarget';
import type { Field, ItemForm } from './field';
import type { PhoneNumber } from './phoneNumber';
import { ValidationError } from './validationError';

export interface Resource {
	/** Stored in saved workflows. */
	value: string;
	/** Label in the list of resources. */
	name: string;
	/** In the order of the list of operations, of which the first is selected at first. */
	operations: readonly Operation[];
}

/** The operation of a resource by their values; undefined if there is none. */
export const findOperation = (
	resources: readonly Resource[],
	resource: string,
	operation: string,
): Operation | undefined =>
	resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);

/** Fields by the names that `prepare` reads. Those outside Options are in the order of the form. */
type FieldSet = Record<string, Field<unknown>>;

/** The values of fields, read and checked. */
export type ValuesOf<Set extends FieldSet> = {
	readonly [Name in keyof Set]: Set[Name] extends Field<infer Value> ? Value : never;
};

/** One operation, with everything about it. A task reaches nobody's phone, a message calls or texts people. */
export type Operation = Defined<'task', Task> | Defined<'message', Message>;

type Defined<Kind, Work> = OperationDefinition & { kind: Kind; prepare: Prepare<Work> };

/**
 * Turns an item's form into what it does, before anything is sent. Each visible field is read once, options
 * last; hidden ones are undefined, or their default where they have one.
 *
 * @throws ValidationError
 */
type Prepare<Work> = (item: ItemForm) => { work: Work; values: Readonly<Record<string, unknown>> };

interface OperationDefinition {
	/** Stored in saved workflows. */
	value: string;
	/** Label in the list of operations. */
	name: string;
	/** Label in the nodes panel; AI agents read it, too. */
	action: string;
	description: string;
	/**
	 * The endpoint it calls, undefined if it makes no request. Where a choice decides between several,
	 * any of them: the executor asks only whether there is one, and whether it has side effects.
	 */
	endpoint?: Endpoint;
	fields: FieldSet;
	/** Fields that the user can add under Options. */
	options: FieldSet;
	/** Whether it needs what the node remembers of earlier runs. */
	needsMemory?: boolean;
	/** Why AI agents must not use it, in which case their tool does not offer it; undefined if they may. */
	notForAgents?: string;
}

/** An operation as it is written: `prepare` gets the checked values of its fields. */
type Definition<Shown extends FieldSet, Options extends FieldSet, Work> = OperationDefinition & {
	fields: Shown;
	options: Options;
	/** @param values of the fields and options above */
	prepare(values: ValuesOf<Shown & Options>, item: ItemForm): Work;
};

export const defineTask = <Shown extends FieldSet, Options extends FieldSet>(
	definition: Definition<Shown, Options, Task>,
): Defined<'task', Task> => ({ kind: 'task', ...buildOperation(definition) });

export const defineMessage = <Shown extends FieldSet, Options extends FieldSet>(
	definition: Definition<Shown, Options, Message>,
): Defined<'message', Message> => ({ kind: 'message', ...buildOperation(definition) });

function buildOperation<Shown extends FieldSet, Options extends FieldSet, Work>({
	prepare,
	...parts
}: Definition<Shown, Options, Work>): OperationDefinition & { prepare: Prepare<Work> } {
	const { fields, options, notForAgents } = parts;
	const inOrder = Object.entries<Field<unknown>>({ ...fields, ...options });
	return {
		...parts,
		prepare: (item) => {
			if (item.byAgent && notForAgents !== undefined) throw new ValidationError(notForAgents);
			const read = inOrder.map(([name, field]) => [name, field.read(item)]);
			const values = Object.fromEntries(read) as ValuesOf<Shown & Options>;
			return { work: prepare(values, item), values };
		},
	};
}

/** Work that reaches nobody's phone, with any number of requests. */
export interface Task {
	/** Members of its output that let somebody in: the error of a stopped run leaves them out. */
	secretMembers?: readonly string[];
	/**
	 * Sends the requests, if any, and returns the output.
	 *
	 * @param recordKey of operations with `needsMemory`
	 * @throws ServiceFailure
	 */
	run(send: Send, recordKey: RecordKey): Promise<IDataObject[]>;
}

/** Records a key for good, by node. @returns whether it is new @throws Error if n8n did not confirm it */
export type RecordKey = (key: string) => Promise<boolean>;

/** A call or an SMS. Keys and limits decide right before a request which numbers get it. */
export interface Message {
	/** Advice for the user when nothing is wrong. */
	hints?: string[];
	/** Phone numbers in list order, without duplicates. */
	recipients: PhoneNumber[];
	/** How many numbers fit into a request; 1 for calls. */
	maxNumbersPerRequest: number;
	/**
	 * Must not throw: what can fail belongs into `prepare`. The essential field of its endpoint is the ID of the
	 * call or SMS.
	 *
	 * @param numbers the recipients of this request
	 * @param resultUrl where the service reports the result, for a message with a `resultTarget`
	 */
	requestFor(numbers: string[], resultUrl?: string): ServiceRequest;
	/** The json of an accepted request, without its numbers. */
	outputFor(answer: Answer): IDataObject;
	/** More members for the error of a request that may have been accepted. */
	errorFields?: IDataObject;
	/** Members of both that let somebody in: what a stopped run tells of other items leaves them out. */
	secretMembers?: readonly string[];
	/** What a dry run shows of it. */
	rehearse(): Rehearsal;
	/** What to do with the result, if that takes an address of this n8n. */
	resultTarget?: ResultTarget;
}

/** What a dry run shows of a message in place of what only the service knows. */
export interface Rehearsal {
	/** The answer to an accepted request. @param id made up, another one for each request */
	answerFor(id: string): Answer;
	/** The fields of a request as they may be shown; all as they are unless given. */
	showFields?(fields: Fields): Fields;
	/**
	 * Of a call that waits: its result, or undefined if none would come in time.
	 *
	 * @param json of the accepted call
	 * @param fields of its request
	 */
	resultFor?(json: IDataObject, fields: Fields): CallResult | undefined;
	/** More members of the output. */
	members?: IDataObject;
}

/**
 * Builds a task with one request and one output item.
 *
 * @param output builds the item's json from the answer
 */
export function buildRequestTask(
	endpoint: Endpoint,
	fields: Fields,
	output: (answer: Answer) => IDataObject,
): Task {
	return { run: async (send) => [output(await send({ endpoint, fields }))] };
}

/**
 * Builds the fields of a request from those of the form; undefined ones are left out.
 *
 * @param fields of the form that are sent as they are, each under its key here: the `name` of its
 * property is what saved workflows hold
 * @param values of the form
 * @param others more fields to send
 */
export function buildRequestFields<Name extends string>(
	fields: Record<Name, Field<unknown>>,
	values: Readonly<Record<NoInfer<Name>, Fields[string] | undefined>>,
	others: Record<string, Fields[string] | undefined> = {},
): Fields {
	const names = Object.keys(fields) as Name[];
	const own = Object.fromEntries(names.map((name) => [name, values[name]]));
	return omitUndefined({ ...own, ...others });
}

/** Leaves out undefined fields. */
export function omitUndefined(fields: Record<string, string | string[] | undefined>): Fields {
	const defined = Object.entries(fields).filter(([, value]) => value !== undefined);
	return Object.fromEntries(defined) as Fields;
}

/** Reads fields of an answer by name, as the service sent them; missing ones are empty. */
export function readFields({ text }: Pick<Answer, 'text'>, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, text(name)]));
}

/** The members with these names, in this order, as far as they exist. */
export function pick(fields: IDataObject, names: string[]): IDataObject {
	const present = names.filter((name) => Object.hasOwn(fields, name));
	return Object.fromEntries(present.map((name) => [name, fields[name]]));
}

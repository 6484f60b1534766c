import type { IDataObject } from 'n8n-workflow';

import type { Result } from '../execution/items';
import type { Answer, Endpoint, Send, ServiceRequest } from '../service/client';
import type { Fields } from '../service/wireFormat';
import type { Field, Form } from './form';

/** One operation of the service, with everything about it. */
export interface Operation {
	/** What saved workflows hold. */
	value: string;
	/** What the list of operations shows. */
	name: string;
	/** What the nodes panel shows, and what an AI agent goes by. */
	action: string;
	description: string;
	/** The operation of the service that it starts with. */
	endpoint: Endpoint;
	/** What the service calls its notifications about this operation. Specification section 6. */
	resultAction?: string;
	/** In the order in which the form shows them. */
	fields: ReadonlyArray<Field<unknown>>;
	/** What the user can add under Options, besides what every operation has. */
	options: ReadonlyArray<Field<unknown>>;
	/** Reads and checks one item's form, before anything goes out. @throws FieldRefusal */
	prepare(form: Form): Task;
}

/** What is to be done for one item: by itself, or in a way that several items can share. */
export type Task = TaskFacts & (OwnWork | { shared: SharedWork; complete?: undefined });

interface TaskFacts {
	/** The first request, and often the only one. */
	request: ServiceRequest;
	/** Whom the request reaches. */
	to?: string[];
	/** What the user should know though nothing is wrong. */
	hints?: string[];
	/** Where the execution is to wait for the result. */
	wait?: Wait;
	/** Whoever brings the same key again is not reached again. */
	idempotencyKey?: string;
}

interface OwnWork {
	/** Sends what there is to send. @throws ServiceFailure */
	complete(send: Send): Promise<IDataObject[]>;
	shared?: undefined;
}

/** Work that items can do together. */
export interface SharedWork {
	/** Items whose keys are equal can share. */
	key: string;
	/** How many requests it takes to reach them. */
	requestsFor(items: string[][]): number;
	/**
	 * Sends for all of the items.
	 *
	 * @param items whom each of them is to reach
	 * @returns a result for each of the items. Never rejects.
	 */
	completeAll(items: string[][], send: Send): Promise<Result[]>;
}

/** How an execution waits for the result of a call. */
export interface Wait {
	/** At most so long. */
	until: Date;
	/** The signed address that resumes it. */
	resumeUrl: string;
}

/** What an option holds; undefined where the operation does not offer it. @throws FieldRefusal */
export function offered<T>(operation: Operation, field: Field<T>, form: Form): T | undefined {
	return operation.options.includes(field) ? field.read(form) : undefined;
}

/** A task of one request and one output item. */
export function oneRequest(
	endpoint: Endpoint,
	fields: Record<string, string | string[] | undefined>,
	output: (answer: Answer) => IDataObject,
	more: Pick<TaskFacts, 'to' | 'hints' | 'wait'> = {},
): TaskFacts & OwnWork {
	const request = { endpoint, fields: present(fields) };
	return { ...more, request, complete: async (send) => [output(await send(request))] };
}

/** Drops what was left out of the form. */
export function present(fields: Record<string, string | string[] | undefined>): Fields {
	return Object.fromEntries(
		Object.entries(fields).filter(
			(entry): entry is [string, string | string[]] => entry[1] !== undefined,
		),
	);
}

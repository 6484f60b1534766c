import type { IDataObject } from 'n8n-workflow';

import type { CallResult } from '../callbacks/callEvent';
import type { Fields } from '../client/codec';
import type { Answer, Send } from '../client/request';

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
	/** The text of the SMS; undefined if the form does not contain it. */
	preview?: Preview;
	/** Where that text stands if the form does not contain it. */
	listedText?: ListedText;
}

/** The filled text of an SMS. */
export interface Preview extends IDataObject {
	preview: string;
	/** UTF-16 code units, as an SMS counts them. */
	characters: number;
}

/** A text in a list of the service. */
export interface ListedText {
	/** Its id in the list. */
	id: string;
	/** Which list it is: a run reads only the list of its first item. */
	list: string;
	/** Reads all texts of the list, by their ids. @throws ServiceFailure */
	readList(send: Send): Promise<ReadonlyMap<string, string>>;
	/** Fills the text; what has no variable stays as it is. */
	fill(text: string): Preview;
}

/** 32 digits, as the service's own, which begin with the date of the call. */
const MADE_UP_ID = /^0{12}\d{20}$/;

/**
 * Makes up the id of a rehearsed request: zeros, the number of the execution, and the positions of the
 * item in the run and of the request in the item.
 */
export function buildMadeUpId(executionId: string, item: number, request: number): string {
	const execution = executionId.replace(/\D/g, '').slice(-10);
	const positions = String(item).padStart(6, '0') + String(request).padStart(4, '0');
	return '0'.repeat(12) + execution.padStart(10, '0') + positions;
}

/** Whether an id is of a rehearsal, so that the service does not know it. */
export const isMadeUpId = (id: string): boolean => MADE_UP_ID.test(id);

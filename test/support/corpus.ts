import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

const ANSWERS_FOLDER = join(__dirname, '../corpus/answers');
const PUSHES_FOLDER = join(__dirname, '../corpus/pushes');

/** An answer of the corpus, and what is to be read in it. */
export interface CorpusAnswer {
	file: string;
	source: string;
	/** Resource and operation of the node. */
	operation: string;
	/** HTTP status. */
	status: number;
	/**
	 * Of what changes something: whether it was accepted, `incomplete` where it was and its id is missing.
	 * Of what only reads: `read` or `failed`.
	 */
	reading: 'accepted' | 'incomplete' | 'refused' | 'unknown' | 'read' | 'failed';
	/** The service's code, if the failure shows one. */
	code?: string;
	statusMsg?: string;
	/** Whether it is sent again after a pause. */
	again?: boolean;
	/** Values by the service's names. */
	fields?: Record<string, string>;
	/** How many objects its list has. */
	records?: number;
	/** What the node's item holds at least. */
	output?: Record<string, unknown>;
	/** How many items the node gives. */
	items?: number;
}

/** All answers of `test/corpus/answers/`. */
export const ANSWERS = JSON.parse(
	readFileSync(join(ANSWERS_FOLDER, 'table.json'), 'utf8'),
) as readonly CorpusAnswer[];

/** The bytes of an answer. */
export const readAnswerFile = ({ file }: CorpusAnswer): Buffer =>
	readFileSync(join(ANSWERS_FOLDER, file));

/** A file of `test/corpus/pushes`, and what is to be read in it. */
export interface Push {
	file: string;
	contentType: string;
	/** Where it is from. */
	source: string;
	/** `this`, or which sibling's. */
	service: string;
	/** Fields of an item for each notification; undefined where the request is refused. */
	read?: IDataObject[];
	/** The HTTP status with which the request is refused. */
	refused?: number;
}

/** The table of the pushes. */
export const PUSHES = JSON.parse(readFileSync(join(PUSHES_FOLDER, 'table.json'), 'utf8')) as Push[];

/** The bytes of a push. */
export function readPush({ file }: Push): Buffer {
	return readFileSync(join(PUSHES_FOLDER, file));
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

const FOLDER = join(__dirname, '../corpus/pushes');

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
export const PUSHES = JSON.parse(readFileSync(join(FOLDER, 'table.json'), 'utf8')) as Push[];

/** The bytes of a push. */
export function readPush({ file }: Push): Buffer {
	return readFileSync(join(FOLDER, file));
}

/** The files that stand beside the table. */
export function listPushes(): string[] {
	return readdirSync(FOLDER).filter((file) => file !== 'table.json');
}

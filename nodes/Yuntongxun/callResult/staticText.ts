import type { IDataObject } from 'n8n-workflow';

/**
 * Text whose value is asked for at the moment n8n writes it into its database. Several deliveries
 * and executions hold static data of one workflow at the same time, and each writes back all of
 * it: a copy made earlier would undo what has come since.
 */
class LiveText {
	constructor(private readonly read: () => string) {}

	/** What JSON.stringify writes. */
	toJSON(): string {
		return this.read();
	}
}

/** Keeps a text in static data, as it is whenever n8n writes that to its database. */
export function keepLive(data: IDataObject, key: string, read: () => string): void {
	data[key] = new LiveText(read);
}

/** A text in static data, as n8n read it from its database; empty if there is none. */
export function storedText(data: IDataObject, key: string): string {
	const stored = data[key];
	return typeof stored === 'string' ? stored : '';
}

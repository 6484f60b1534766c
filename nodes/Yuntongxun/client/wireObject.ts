/** One object of a request, an answer or a notification: its values by name. */
export interface WireObject {
	[name: string]: WireValue;
}

/** Text, an object, or several values of one name. The service has no other kinds. */
export type WireValue = string | WireObject | WireValue[];

/** How deep an object may be nested: several times as deep as the service's own. */
export const MAX_DEPTH = 20;

/** Whether a value is an object, rather than text or a list. */
export function isWireObject(value: WireValue | undefined): value is WireObject {
	return typeof value === 'object' && !Array.isArray(value);
}

/** The text of that name, trimmed; empty if the object has no such text. */
export function textIn(object: WireObject, name: string): string {
	const value = Object.prototype.hasOwnProperty.call(object, name) ? object[name] : '';
	return typeof value === 'string' ? value.trim() : '';
}

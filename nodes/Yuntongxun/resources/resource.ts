import type { Operation } from './operation';

/** Operations on one kind of thing. */
export interface Resource {
	/** What saved workflows hold. */
	value: string;
	/** What the list of resources shows. */
	name: string;
	/** In the order in which the list of operations shows them. */
	operations: readonly Operation[];
	/** The operation that is chosen at first. */
	defaultOperation: string;
}

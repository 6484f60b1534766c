/**
 * A value for n8n's static data that is read at the moment n8n writes it into its database. Several
 * deliveries and executions hold static data of one workflow at the same time, and each writes back
 * all of it: a copy made earlier would undo what has come since.
 */
export class LazyValue {
	constructor(private readonly read: () => unknown) {}

	/** What JSON.stringify writes. */
	toJSON(): unknown {
		return this.read();
	}
}

/** Nothing was sent, for certain. */
export class NotSentError extends Error {
	override readonly name = 'NotSentError';

	/**
	 * @param happened one clause, without a final period
	 * @param advice what to do next, in a sentence
	 */
	constructor(
		readonly happened: string,
		readonly advice: string,
	) {
		super(`${happened}. ${advice}`);
	}
}

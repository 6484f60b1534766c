/** What a node remembers of verification tokens. Nothing is ever taken back. */
export interface TokenUsage {
	/**
	 * Takes one of the attempts of a token.
	 *
	 * @param id different for each token
	 * @param max attempts allowed per token
	 * @returns its number, counted from 1; undefined if all are taken
	 * @throws Error if n8n did not record it
	 */
	takeAttempt(id: string, max: number): Promise<number | undefined>;

	/** Uses a token, which is good once. @returns whether it was unused @throws Error as above */
	redeem(id: string): Promise<boolean>;
}

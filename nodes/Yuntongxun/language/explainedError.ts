import { joinMessage, translate } from './translate';

/** Why something is not sent, in words for the user. The message has both parts. */
export class ExplainedError extends Error {
	readonly summary: string;

	readonly remedy: string;

	/**
	 * @param summary what is wrong: one clause without a final period; in English, or translated
	 * @param remedy what to do, in sentences; likewise
	 */
	constructor(summary: string, remedy = '') {
		const words = { summary: translate(summary), remedy: translate(remedy) };
		super(joinMessage(words.summary, words.remedy));
		({ summary: this.summary, remedy: this.remedy } = words);
	}
}

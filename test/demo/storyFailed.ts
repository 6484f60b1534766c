/** The story did not go as it should: what was missing, in words for the person at the screen. */
export class StoryFailed extends Error {
	override readonly name = 'StoryFailed';
}

/** The story did not go as planned; says what was missing, in words for the user. */
export class StoryFailed extends Error {
	override readonly name = 'StoryFailed';
}

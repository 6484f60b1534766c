/** Nothing was sent, for certain. The message says why. */
export class NotBegun extends Error {
	override readonly name: string = 'NotBegun';
}

/** Nothing was sent, because the run had stopped before the turn of this work came. */
export class RunStopped extends NotBegun {
	override readonly name = 'RunStopped';

	constructor() {
		super('The run stopped before this was sent');
	}
}

/** What a list of names lacks and has too much, whichever of the two lists is the authority. */
export interface Differences {
	missing: string[];
	superfluous: string[];
}

export const NO_DIFFERENCE: Differences = { missing: [], superfluous: [] };

/** Compares what there is with what has to be, whatever their order. */
export function findDifferences(found: Iterable<string>, wanted: Iterable<string>): Differences {
	const [have, want] = [new Set(found), new Set(wanted)];
	return {
		missing: [...want].filter((name) => !have.has(name)),
		superfluous: [...have].filter((name) => !want.has(name)),
	};
}

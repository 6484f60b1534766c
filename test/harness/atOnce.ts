/** Does something for each of many, with so many under way at the same time. */
export async function forEach<T>(
	many: T[],
	atOnce: number,
	run: (each: T) => Promise<unknown>,
): Promise<void> {
	const left = many.values();
	const work = async (): Promise<void> => {
		for (const each of left) await run(each);
	};
	await Promise.all(Array.from({ length: atOnce }, work));
}

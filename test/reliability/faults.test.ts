import { FAULTS } from './matrix/faultTable';
import { runMatrix, type Combination } from './matrix/matrix';

const LIMIT_MS = 15 * 60_000;

// All of them run together. What each name of a failure of the system means is decided by
// test/unit/client/failureTable.test.ts, in which shapes n8n hands it over by transport.test.ts beside it.
let combinations: Combination[] = [];
beforeAll(async () => {
	combinations = await runMatrix(FAULTS);
}, LIMIT_MS);

it.each(FAULTS.map((fault) => [fault.name, fault] as const))('%s', (_, fault) => {
	const own = combinations.filter((each) => each.fault === fault);
	expect(own.length).toBeGreaterThan(0);
	expect(
		own.flatMap(({ operation, format, deviations }) =>
			deviations.map((words) => `${operation}, ${format}: ${words}`),
		),
	).toEqual([]);
});

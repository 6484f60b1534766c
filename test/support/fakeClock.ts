/**
 * Gives each test of a block a clock that stands until the test sets it.
 *
 * @param now milliseconds since 1970
 */
export function useFakeClock(now = Date.UTC(2026, 0, 1)): void {
	beforeEach(() => {
		jest.useFakeTimers({ now });
		// Node.js measures it by a clock of its own.
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
			const controller = new AbortController();
			setTimeout(() => controller.abort(), ms);
			return controller.signal;
		});
	});
	afterEach(() => {
		jest.restoreAllMocks();
		jest.useRealTimers();
	});
}

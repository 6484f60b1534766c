import { createTasks } from '../../simulator/tasks';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a planned task runs at its time', () => {
	const tasks = createTasks();
	const run = jest.fn();
	tasks.after(1000, run);
	jest.advanceTimersByTime(999);
	expect(run).not.toHaveBeenCalled();
	jest.advanceTimersByTime(1);
	expect(run).toHaveBeenCalledTimes(1);
});

test('a cleared task never runs, and work in progress is aborted', () => {
	const tasks = createTasks();
	const run = jest.fn();
	const signal = tasks.signal();
	tasks.after(1000, run);
	tasks.clear();
	jest.advanceTimersByTime(5000);
	expect(run).not.toHaveBeenCalled();
	expect(signal.aborted).toBe(true);
	expect(tasks.signal().aborted).toBe(false);
});

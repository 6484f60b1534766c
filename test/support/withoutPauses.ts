/** n8n-workflow whose `sleep` ends at once, for `jest.mock` where nothing happens in a pause. */
module.exports = {
	...jest.requireActual<object>('n8n-workflow'),
	sleep: jest.fn(async () => await new Promise(setImmediate)),
};

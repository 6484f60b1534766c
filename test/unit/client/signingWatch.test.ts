import type * as watching from '../../../nodes/Yuntongxun/client/transport';

/** A watch that has seen nothing yet. */
function freshWatch(): (typeof watching)['signingWatch'] {
	const loaded: Array<(typeof watching)['signingWatch']> = [];
	jest.isolateModules(() => {
		const module = jest.requireActual<typeof watching>(
			'../../../nodes/Yuntongxun/client/transport',
		);
		loaded.push(module.signingWatch);
	});
	return loaded[0];
}

it('knows that a request was never signed, once it has seen that marks arrive', () => {
	const watch = freshWatch();
	expect(watch.end(watch.begin())).toBe(false);
	const signed = watch.begin();
	watch.noteSigned(signed);
	expect(watch.end(signed)).toBe(false);
	expect(watch.end(watch.begin())).toBe(true);
});

it('keeps a request from being signed that its sender has given up', () => {
	const watch = freshWatch();
	const mark = watch.begin();
	watch.end(mark);
	expect(() => watch.noteSigned(mark)).toThrow('The node has given up this request');
});

it('lets through what is not its own: other nodes, and other copies of the package', () => {
	const [watch, other] = [freshWatch(), freshWatch()];
	expect(() => watch.noteSigned(undefined)).not.toThrow();
	expect(() => watch.noteSigned(other.begin())).not.toThrow();
	expect(watch.end(watch.begin())).toBe(false);
});

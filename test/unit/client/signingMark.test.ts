import type * as marking from '../../../nodes/Yuntongxun/client/signing';

/** The module as a process finds it that has signed nothing yet. */
function loadModule(): typeof marking {
	const loaded: unknown[] = [];
	// Without a type argument, which would hide from Jest what this test is related to.
	jest.isolateModules(() => {
		loaded.push(jest.requireActual('../../../nodes/Yuntongxun/client/signing'));
	});
	return loaded[0] as typeof marking;
}

it('knows that a request was never signed, once it has seen that marks arrive', () => {
	const { MARK, createMark, takeOffMark, giveUpMark } = loadModule();
	expect(giveUpMark(createMark())).toBe(false);
	const signed = createMark();
	takeOffMark({ [MARK]: signed });
	expect(giveUpMark(signed)).toBe(false);
	expect(giveUpMark(createMark())).toBe(true);
});

it('keeps a request from being signed that its sender has given up', () => {
	const { MARK, createMark, takeOffMark, giveUpMark } = loadModule();
	const mark = createMark();
	giveUpMark(mark);
	expect(() => takeOffMark({ [MARK]: mark })).toThrow('The node has given up this request');
});

it('lets through what is not its own: other nodes, and other copies of the package', () => {
	const [own, other] = [loadModule(), loadModule()];
	expect(() => own.takeOffMark({ url: '/' })).not.toThrow();
	expect(() => own.takeOffMark({ [other.MARK]: other.createMark() })).not.toThrow();
	expect(own.giveUpMark(own.createMark())).toBe(false);
});

import { settle } from '../../../nodes/Yuntongxun/util/settle';

it('gives the value of work, or what it threw', async () => {
	expect(await settle(Promise.resolve(1))).toEqual({ value: 1 });
	expect(await settle(Promise.reject(new Error('no')))).toEqual({ thrown: new Error('no') });
});

import { KeyedMutex } from '../../../nodes/Yuntongxun/util/keyedMutex';

const tick = async () => await new Promise((resolve) => setImmediate(resolve));

/** Locks at once and records in which order the locks were given. */
function contenders(...keySets: string[][]) {
	const mutex = new KeyedMutex();
	const order: number[] = [];
	const unlocks: Array<() => void> = [];
	keySets.forEach((keys, who) => {
		void mutex.lock(keys).then((unlock) => {
			order.push(who);
			unlocks[who] = unlock;
		});
	});
	return { order, unlocks };
}

it('gives a key to one holder at a time, in the order they asked', async () => {
	const { order, unlocks } = contenders(['a'], ['a'], ['a']);
	await tick();
	expect(order).toEqual([0]);
	unlocks[0]();
	await tick();
	expect(order).toEqual([0, 1]);
	unlocks[1]();
	await tick();
	expect(order).toEqual([0, 1, 2]);
});

it('lets holders of different keys work side by side', async () => {
	const { order } = contenders(['a'], ['b'], ['a', 'b']);
	await tick();
	expect(order).toEqual([0, 1]);
});

it('does not deadlock when two ask for the same keys in another order', async () => {
	const { order, unlocks } = contenders(['a', 'b'], ['b', 'a'], ['b', 'b']);
	await tick();
	unlocks[0]();
	await tick();
	unlocks[1]();
	await tick();
	expect(order).toEqual([0, 1, 2]);
});

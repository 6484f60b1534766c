import { BoundedMap } from '../../../nodes/Yuntongxun/util/boundedMap';

it('a BoundedMap evicts the entry that was set first', () => {
	const map = new BoundedMap<string, number>(2);
	map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
	expect([...map]).toEqual([
		['a', 3],
		['c', 4],
	]);
});

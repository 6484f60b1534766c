import { dropOldest } from '../../../nodes/Yuntongxun/callResult/dropOldest';

it('drops the entry that was added first, once there are too many', () => {
	const names = new Set(['first', 'second', 'third']);
	dropOldest(names, 3);
	expect([...names]).toEqual(['first', 'second', 'third']);
	dropOldest(names, 2);
	expect([...names]).toEqual(['second', 'third']);
	const times = new Map([
		['first', 1],
		['second', 2],
	]);
	dropOldest(times, 1);
	expect([...times]).toEqual([['second', 2]]);
});

import { DECISIONS, decide } from '../../../nodes/Yuntongxun/service/decisions';
import type { Reply } from '../../../nodes/Yuntongxun/service/decisions';

const codes = (...all: string[]): Reply[] => all.map((statusCode) => ({ statusCode }));
const http = (...all: number[]): Reply[] => all.map((httpStatus) => ({ httpStatus }));
const range = (from: number, to: number) =>
	Array.from({ length: to - from + 1 }, (_each, index) => from + index);

/** What is to follow from what, written down a second time. */
const EXPECTED: Array<[replies: Reply[], accepted: string, again: boolean]> = [
	[[{ sent: 'no' }], 'no', false],
	[[{ sent: 'unknown' }], 'unknown', false],
	[codes('000000'), 'yes', false],
	[codes('111111', '160016', '161006'), 'no', true],
	[codes(...range(160001, 160010).map(String)), 'no', true],
	[codes('160000', '160011', '160015', '160017', '160038', '161005', '161007'), 'no', false],
	[codes('111110', '111112', '160040', '999999', 'x'), 'no', false],
	[http(429), 'no', true],
	[http(300, 302, 399, 401, 403, 404, 405), 'no', false],
	[http(500, 502, 503, 504, 599), 'unknown', false],
	[http(200, 204, 299, 400, 402, 406, 428, 430, 499, 600), 'unknown', false],
];

it.each(
	EXPECTED.flatMap(([replies, ...rest]) => replies.map((reply) => [reply, ...rest] as const)),
)('%j: accepted %s, again %p', (reply, accepted, again) => {
	expect(decide(reply)).toEqual({ accepted, again });
});

it('every row of the table is met', () => {
	const replies = EXPECTED.flatMap(([each]) => each);
	const met = new Set(replies.map((reply) => DECISIONS.find(({ fits }) => fits(reply))));
	expect([...met]).toEqual(expect.arrayContaining([...DECISIONS]));
});

it('nothing that may have been accepted goes out again', () => {
	expect(DECISIONS.filter(({ accepted, again }) => again && accepted !== 'no')).toEqual([]);
});

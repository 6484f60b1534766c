import fc from 'fast-check';

import { toIsoDate } from '../../../nodes/Yuntongxun/util/serviceTime';

describe('isoDateOf', () => {
	it.each([
		['with hyphens and colons', '2015-06-02 15:50:26', '2015-06-02T15:50:26+08:00'],
		['digits only', '20150602155026', '2015-06-02T15:50:26+08:00'],
		['with parts of a second', '2015-06-02 15:50:26.0', '2015-06-02T15:50:26+08:00'],
		['a leap day', '20240229000000', '2024-02-29T00:00:00+08:00'],
		['the last second of a year', '2023-12-31 23:59:59', '2023-12-31T23:59:59+08:00'],
	])('reads a date %s', (_what, text, expected) => {
		expect(toIsoDate(text)).toBe(expected);
	});

	it.each([
		'',
		'0',
		'null',
		'2015-06-02',
		'2015-06-02T15:50:26',
		'2015-6-2 15:50:26',
		'2015060215502',
		'201506021550261',
		'2015-06-02 15:50:26 ',
		'2015-06-02 15:50:26.',
		'2015/06/02 15:50:26',
		'0000-00-00 00:00:00',
		'20230229000000',
		'2023-02-29 00:00:00',
		'2024-06-31 00:00:00',
		'2024-13-01 00:00:00',
		'2024-01-01 24:00:00',
		'2024-01-01 23:60:00',
		'2024-01-01 23:59:60',
		'２０１５０６０２１５５０２６',
	])('takes %j for no date', (text) => {
		expect(toIsoDate(text)).toBeUndefined();
	});

	it('keeps the moment, in both shapes', () => {
		const seconds = fc.integer({
			min: Date.parse('1970-01-01T00:00:00Z') / 1000,
			max: Date.parse('9999-12-30T00:00:00Z') / 1000,
		});
		fc.assert(
			fc.property(seconds, (second) => {
				const atService = new Date(second * 1000 + 8 * 3_600_000).toISOString();
				const spaced = `${atService.slice(0, 10)} ${atService.slice(11, 19)}`;
				for (const text of [spaced, spaced.replace(/\D/g, '')]) {
					expect(Date.parse(toIsoDate(text) ?? '')).toBe(second * 1000);
				}
			}),
			{ numRuns: 200 },
		);
	});
});

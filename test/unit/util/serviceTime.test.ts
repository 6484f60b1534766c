import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';

import {
	formatServiceTimestamp,
	toDateMember,
	toIsoDate,
} from '../../../nodes/Yuntongxun/util/serviceTime';

const ROOT = join(__dirname, '../../..');

describe('toIsoDate', () => {
	it.each([
		['with parts of a second', '2015-06-02 15:50:26.0', '2015-06-02T15:50:26+08:00'],
		['a leap day', '20240229000000', '2024-02-29T00:00:00+08:00'],
		['the last second of a year', '2023-12-31 23:59:59', '2023-12-31T23:59:59+08:00'],
	])('reads a date %s', (_what, text, expected) => {
		expect(toIsoDate(text)).toBe(expected);
	});

	it.each([
		['nothing', ['']],
		['another shape', ['2015-06-02T15:50:26', '2015-6-2 15:50:26', '2015/06/02 15:50:26']],
		['a character too many', ['201506021550261', '2015-06-02 15:50:26 ']],
		['a day that is not in the calendar', ['20230229000000', '2024-06-31 00:00:00']],
		['a time that is not on the clock', ['2024-01-01 24:00:00', '2024-01-01 23:60:00']],
		['a leap second', ['2024-01-01 23:59:60']],
		['full-width digits', ['２０１５０６０２１５５０２６']],
	])('does not read %s as a date: %j', (_what, texts) => {
		expect(texts.filter((text) => toIsoDate(text) !== undefined)).toEqual([]);
	});
});

it('toDateMember leaves out what is not a date', () => {
	const createdAt = '2015-06-02T15:50:26+08:00';
	expect(toDateMember('createdAt', '2015-06-02 15:50:26')).toEqual({ createdAt });
	expect(toDateMember('createdAt', 'yesterday')).toStrictEqual({});
});

describe('formatServiceTimestamp', () => {
	it('is the clock eight hours ahead of UTC, at any moment', () => {
		const clock = new Intl.DateTimeFormat('en-GB', {
			timeZone: 'Etc/GMT-8',
			dateStyle: 'short',
			timeStyle: 'medium',
			hourCycle: 'h23',
		});
		fc.assert(
			fc.property(
				fc.date({
					min: new Date('1971-01-01T00:00:00Z'),
					max: new Date('9999-12-01T00:00:00Z'),
					noInvalidDate: true,
				}),
				(moment) => {
					const [day, month, year, ...time] = clock.format(moment).match(/\d+/g) ?? [];
					expect(formatServiceTimestamp(moment)).toBe([year, month, day, ...time].join(''));
				},
			),
			{ numRuns: 200 },
		);
	});

	it.each(['America/New_York', 'Pacific/Kiritimati'])('is so on a machine in %s', (TZ) => {
		const script = `
			const { formatServiceTimestamp } = require('./nodes/Yuntongxun/util/serviceTime');
			const moment = new Date('2023-12-31T16:00:00Z');
			process.stdout.write(moment.getHours() + ' ' + formatServiceTimestamp(moment));`;
		const printed = execFileSync(process.execPath, ['--import', 'tsx', '-e', script], {
			cwd: ROOT,
			env: { ...process.env, TZ },
			encoding: 'utf8',
		});
		expect(printed).toMatch(/^(?:11|6) 20240101000000$/);
	});
});

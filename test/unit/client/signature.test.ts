import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';

import { toTimestamp } from '../../../nodes/Yuntongxun/util/serviceTime';
import { sign } from '../../../nodes/Yuntongxun/client/signing';

const ROOT = join(__dirname, '../../..');

const SID = '8f3c2a1b4d5e6f708192a3b4c5d6e7f8';
const TOKEN = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';

describe('sign', () => {
	// printf %s "$SID$TOKEN$TIMESTAMP" | openssl md5 | tr a-f A-F
	// printf %s "$SID:$TIMESTAMP" | base64 -w0
	it.each([
		{
			timestamp: '20240229235959',
			sig: '794C2356354ABC186B84533C2667F574',
			authorization: 'OGYzYzJhMWI0ZDVlNmY3MDgxOTJhM2I0YzVkNmU3Zjg6MjAyNDAyMjkyMzU5NTk=',
		},
		{
			timestamp: '20250101000000',
			sig: '343E22D272FA8A865B680F07C282F0BD',
			authorization: 'OGYzYzJhMWI0ZDVlNmY3MDgxOTJhM2I0YzVkNmU3Zjg6MjAyNTAxMDEwMDAwMDA=',
		},
	])('gives what openssl and base64 give at $timestamp', ({ timestamp, ...expected }) => {
		expect(sign(SID, TOKEN, timestamp)).toEqual(expected);
	});

	// printf %s "账号密钥20240601000000" | openssl md5 | tr a-f A-F
	// printf %s "账号:20240601000000" | base64 -w0
	it('takes text as UTF-8', () => {
		expect(sign('账号', '密钥', '20240601000000')).toEqual({
			sig: '99B4FA35EA01B8278211F9DEC457693B',
			authorization: '6LSm5Y+3OjIwMjQwNjAxMDAwMDAw',
		});
	});
});

describe('toTimestamp', () => {
	it.each([
		['the last second of a day at the service', '2024-02-28T15:59:59Z', '20240228235959'],
		['the first second of the next day, a leap day', '2024-02-28T16:00:00Z', '20240229000000'],
		['the first second of March', '2024-02-29T16:00:00Z', '20240301000000'],
		['the last second of a year at the service', '2023-12-31T15:59:59Z', '20231231235959'],
		['the first second of the next year', '2023-12-31T16:00:00Z', '20240101000000'],
		['midnight in UTC', '2024-01-01T00:00:00Z', '20240101080000'],
		['single digits', '2024-01-01T17:02:03Z', '20240102010203'],
		['parts of a second, dropped', '2024-06-01T04:00:00.999Z', '20240601120000'],
	])('%s', (_what, moment, expected) => {
		expect(toTimestamp(new Date(moment))).toBe(expected);
	});

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
					expect(toTimestamp(moment)).toBe([year, month, day, ...time].join(''));
				},
			),
			{ numRuns: 200 },
		);
	});

	it('does not depend on the time zone of the machine', () => {
		const script = `
			const { toTimestamp } = require('./nodes/Yuntongxun/util/serviceTime');
			const zones = ['UTC', 'Asia/Shanghai', 'America/New_York', 'Pacific/Kiritimati', 'Asia/Kolkata'];
			const moments = ['2023-12-31T15:59:59Z', '2023-12-31T16:00:00Z', '2024-03-10T07:30:00Z'];
			const rows = zones.map((zone) => {
				process.env.TZ = zone;
				const dates = moments.map((moment) => new Date(moment));
				return { hours: dates[0].getHours(), timestamps: dates.map(toTimestamp).join(' ') };
			});
			process.stdout.write(JSON.stringify(rows));`;
		const printed = execFileSync(process.execPath, ['--import', 'tsx', '-e', script], {
			cwd: ROOT,
			encoding: 'utf8',
		});
		const rows = JSON.parse(printed) as Array<{ hours: number; timestamps: string }>;
		expect(rows.map(({ hours }) => hours)).toEqual([15, 23, 10, 5, 21]);
		expect([...new Set(rows.map(({ timestamps }) => timestamps))]).toEqual([
			'20231231235959 20240101000000 20240310153000',
		]);
	});
});

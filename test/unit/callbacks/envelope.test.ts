import {
	isEnvelope,
	readEnvelope,
	writeEnvelope,
} from '../../../nodes/Yuntongxun/callbacks/envelope';

const NOW = Date.UTC(2026, 0, 1);
const RESULTS = [
	{ body: '<Request><callSid>c1</callSid></Request>', receivedAt: NOW - 1000 },
	{ body: '{"callSid":"c2","userData":"\\"é\\""}', receivedAt: NOW },
];
const read = (text: string) => readEnvelope(Buffer.from(text), NOW);

describe('An envelope', () => {
	it.each([[RESULTS], [[]]])('holds results as they were delivered: %j', (results) => {
		const text = writeEnvelope(results);
		expect(JSON.parse(text)).toEqual({ ytResults: results });
		expect(isEnvelope(Buffer.from(text))).toBe(true);
		expect(read(text)).toEqual(results);
	});

	it('is told from a notification by its beginning, even if it was cut off', () => {
		const text = writeEnvelope(RESULTS);
		expect(isEnvelope(Buffer.from(text.slice(0, 40)))).toBe(true);
		expect(read(text.slice(0, -5))).toBeUndefined();
		for (const { body } of RESULTS) expect(isEnvelope(Buffer.from(body))).toBe(false);
	});

	it.each([
		['no list', '{"ytResults":{}}'],
		['a number', '{"ytResults":[13800000000]}'],
		['null', '{"ytResults":[null]}'],
		['a body that is no text', `{"ytResults":[{"receivedAt":${NOW},"body":{}}]}`],
		['no time', '{"ytResults":[{"body":"r"}]}'],
		['a time that is text', `{"ytResults":[{"receivedAt":"${NOW}","body":"r"}]}`],
	])('an envelope with %s is broken', (_, text) => {
		expect(read(text)).toBeUndefined();
	});

	it('holds a result from the future, by a clock that was set since, as one of now', () => {
		const text = `{"ytResults":[{"receivedAt":${NOW + 1},"body":"a"},{"receivedAt":${NOW - 1},"body":"b"}]}`;
		expect(read(text)).toEqual([
			{ body: 'a', receivedAt: NOW },
			{ body: 'b', receivedAt: NOW - 1 },
		]);
	});
});

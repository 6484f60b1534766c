import { Readable } from 'node:stream';
import fc from 'fast-check';

import { parseCredential } from '../../nodes/Yuntongxun/client/credential';
import { createClient } from '../../nodes/Yuntongxun/client/client';
import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { ServiceFailure } from '../../nodes/Yuntongxun/client/serviceFailure';
import { CREDENTIAL } from '../support/trip';
import { anyText } from '../support/texts';

const pieces = fc
	.array(
		fc.oneof(
			fc.string({ unit: 'binary' }),
			anyText,
			fc.constantFrom(
				...['<', '>', '</', '/>', '<r>', '</r>', '<a>', '</a>', '&', ';', '&#', '<![CDATA[', ']]>'],
				...['<!--', '-->', '<?xml ?>', '<!DOCTYPE r [', '<!ENTITY x "y">', ']>', '<__proto__>'],
				...['{', '}', '[', ']', '"', ':', ',', '"a":', '"__proto__":', 'null', '1', '-1e9', '\\'],
				...['<action>', '</action>', '"action":"VoiceCode"', '"callSid":"c1"', '"statusCode":'],
			),
		),
		{ maxLength: 20 },
	)
	.map((each) => each.join(''));

/** Good bodies, to spoil. */
const HONEST = [
	'<?xml version="1.0" encoding="UTF-8"?><Response><statusCode>000000</statusCode><LandingCall><callSid>c1</callSid><dateCreated>2026-01-02 03:04:05</dateCreated></LandingCall></Response>',
	'{"statusCode":"000000","LandingCall":{"callSid":"c1","dateCreated":"2026-01-02 03:04:05"}}',
	'{"statusCode":"160034","statusMsg":"【短信】号码黑名单"}',
	'<?xml version="1.0" encoding="UTF-8"?>\n<Request><action>SellingCall</action><callSid>c1</callSid><number>13800000000</number><state>0</state><duration>30</duration><userData>{"a":1}</userData></Request>',
	'{"Request":{"action":"VoiceCode","callSid":"c1","number":"13800000000","state":"1","duration":"0"}}',
];

/** A good body with bytes removed, overwritten, doubled or inserted. */
const spoilt = fc
	.tuple(
		fc.constantFrom(...HONEST).map((body) => Buffer.from(body)),
		fc.array(fc.tuple(fc.nat(), fc.nat({ max: 8 }), fc.uint8Array({ maxLength: 8 })), {
			minLength: 1,
			maxLength: 4,
		}),
	)
	.map(([body, changes]) =>
		changes.reduce((bytes, [at, length, more]) => {
			const start = at % (bytes.length + 1);
			return Buffer.concat([bytes.subarray(0, start), more, bytes.subarray(start + length)]);
		}, body),
	);

const deep = fc
	.tuple(fc.constantFrom('[', '{"a":', '<a>', '[{"a":'), fc.integer({ min: 1, max: 20_000 }))
	.map(([opening, depth]) => Buffer.from(opening.repeat(depth)));

/** Any bytes. */
const anyBytes = fc.oneof(
	{ weight: 400, arbitrary: spoilt },
	{ weight: 200, arbitrary: pieces.map((text) => Buffer.from(text)) },
	{ weight: 100, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
	{ weight: 100, arbitrary: fc.json().map((text) => Buffer.from(text)) },
	{ weight: 50, arbitrary: pieces.map((text) => Buffer.from(text, 'utf16le')) },
	{ weight: 1, arbitrary: deep },
);

const ENDPOINT: Endpoint = {
	name: 'LandingCalls',
	path: 'Calls/LandingCalls',
	root: 'LandingCall',
	essential: 'callSid',
	hasSideEffects: true,
};

/** Texts, objects and lists: a reader gives nothing else. */
const isWellMade = (value: unknown): boolean =>
	typeof value === 'string' ||
	(typeof value === 'object' && value !== null && Object.values(value).every(isWellMade));

const NAMES_OF_ALL_OBJECTS = Object.getOwnPropertyNames(Object.prototype);

afterEach(() => {
	expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(NAMES_OF_ALL_OBJECTS);
});

it('any bytes as an answer are a checked answer or a failure in our own words', async () => {
	const account = parseCredential(CREDENTIAL);
	await fc.assert(
		fc.asyncProperty(
			anyBytes,
			fc.constantFrom(200, 200, 200, 302, 401, 404, 429, 500, 503),
			async (body, statusCode) => {
				const send = createClient(
					account,
					async () => ({ statusCode, body: Readable.from([body]) }),
					30_000,
				);
				try {
					const answer = await send({ endpoint: ENDPOINT, fields: { to: '13800000000' } });
					expect(answer.statusCode).toBe('000000');
					expect(answer.text('callSid')).toMatch(/\S/);
					expect(answer.records.every(isWellMade)).toBe(true);
				} catch (thrown) {
					expect(thrown).toBeInstanceOf(ServiceFailure);
					const { facts } = thrown as ServiceFailure;
					expect(['no', 'unknown', 'yes']).toContain(facts.accepted);
					if (facts.statusCode === '') {
						const accepted = [302, 401, 404, 429].includes(statusCode) ? 'no' : 'unknown';
						expect(facts.accepted).toBe(accepted);
					} else if (facts.statusCode === '000000') {
						expect(facts.accepted).toBe('yes');
					} else {
						const isSixDigits = /^\d{6}$/.test(facts.statusCode);
						expect(facts.accepted).toBe(isSixDigits ? 'no' : 'unknown');
					}
				}
			},
		),
	);
});

import { addUsualHeaders } from '../../../nodes/Yuntongxun/client/usualHeaders';
import type { RequestOptions } from '../../../nodes/Yuntongxun/client/usualHeaders';

const ACCEPT = { Accept: 'application/json' };
const JSON_BODY = { ...ACCEPT, 'Content-Type': 'application/json;charset=utf-8' };
const NO_BODY = { ...JSON_BODY, 'Content-Length': '0' };

it.each<[string, RequestOptions, object]>([
	['no body', {}, NO_BODY],
	['an object', { body: { to: '13800000000' } }, JSON_BODY],
	['JSON as text', { body: ' {"to":"13800000000"}' }, JSON_BODY],
	['XML', { body: '<CallResult/>' }, ACCEPT],
	['bytes', { body: Buffer.from('{}') }, ACCEPT],
	['parameters', { body: new URLSearchParams('a=1') }, ACCEPT],
	['a form', { form: { a: '1' } }, ACCEPT],
	['files', { formData: { a: '1' } }, ACCEPT],
])('adds what the service asks for to a request with %s', (_what, options, headers) => {
	expect(addUsualHeaders({}, options)).toEqual(headers);
});

it.each([
	{ Accept: 'application/xml', 'Content-Type': 'application/xml', 'Content-Length': '0' },
	{ accept: '*/*', 'content-type': 'text/plain', 'content-length': 0 },
	{ ACCEPT: '', 'CONTENT-TYPE': '', 'CONTENT-LENGTH': '' },
])('leaves what the node gave, in any case of letters: %j', (headers) => {
	expect(addUsualHeaders(headers, {})).toEqual(headers);
});

it.each([
	'application/json,text/*;q=0.99',
	'application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7',
])("asks for JSON alone where n8n's HTTP Request node asks for anything: %s", (accept) => {
	expect(addUsualHeaders({ accept }, {})).toEqual(NO_BODY);
});

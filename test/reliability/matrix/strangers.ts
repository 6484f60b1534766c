import type { MatrixFault } from './fault';

/**
 * Answers of others than the service, in the shapes that common ones really send. A stranger that
 * stands before the service may have passed the request on, so here it always has, unless its
 * HTTP status says by the contract that it did not.
 */

const JSON_TYPE = 'application/json; charset=utf-8';
const XML_TYPE = 'application/xml; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const XML = '<?xml version="1.0" encoding="UTF-8"?>';

/** Statuses with which, by the contract, the request was never passed on. */
const NOT_PASSED_ON: ReadonlyMap<number, RegExp> = new Map([
	[302, /points to another one \(HTTP 302\)/],
	[401, /another login \(HTTP 401\)/],
	[403, /does not let this n8n in \(HTTP 403\)/],
	[404, /no such service .*\(HTTP 404\)/],
	[405, /no such service .*\(HTTP 405\)/],
	[407, /asks for a login \(HTTP 407\)/],
	[429, /no more requests .*\(HTTP 429\)/],
	[511, /asks for a login \(HTTP 511\)/],
]);

type Shape = readonly [from: string, status: number, contentType: string, body: string];

const fault = ([from, status, contentType, body]: Shape): MatrixFault => {
	const refused = NOT_PASSED_ON.get(status);
	const said = status >= 500 ? /not able to answer \(HTTP 5\d\d\)/ : /cannot be read \(HTTP \d+\)/;
	return {
		name: `${from}, HTTP ${status}`,
		strikes: {
			effect: { kind: 'http', status, body, contentType },
			accept: refused === undefined,
		},
		then: refused === undefined ? 'unknown' : 'no',
		says: refused ?? said,
		isLoad: status === 429,
	};
};

const inXml = ([from, ...rest]: Shape): Shape => [`${from} in XML`, ...rest];

const page = (title: string, body: string): string =>
	`<!DOCTYPE html><html><head><title>${title}</title></head><body>${body}</body></html>`;

/** Bodies that gateways and web frameworks make by themselves, by their own documentation. */
const GATEWAYS_JSON: readonly Shape[] = [
	[
		'AWS Lambda, not unwrapped',
		200,
		JSON_TYPE,
		'{"statusCode":200,"headers":{},"body":"{\\"statusCode\\":\\"000000\\"}"}',
	],
	[
		'Azure API Management',
		401,
		JSON_TYPE,
		'{ "statusCode": 401, "message": "Access denied due to missing subscription key." }',
	],
	[
		'Azure API Management',
		429,
		JSON_TYPE,
		'{ "statusCode": 429, "message": "Rate limit is exceeded. Try again in 20 seconds." }',
	],
	[
		'Azure API Management',
		500,
		JSON_TYPE,
		'{ "statusCode": 500, "message": "Internal server error", "activityId": "5f2c" }',
	],
	['Kong', 504, JSON_TYPE, '{"message":"The upstream server is timing out","request_id":"1f"}'],
	['NestJS', 504, JSON_TYPE, '{"statusCode":504,"message":"Gateway Timeout"}'],
	[
		'Fastify',
		504,
		JSON_TYPE,
		'{"statusCode":504,"code":"FST_REPLY_FROM_GATEWAY_TIMEOUT","error":"Gateway Timeout","message":"Gateway Timeout"}',
	],
	['hapi', 404, JSON_TYPE, '{"statusCode":404,"error":"Not Found","message":"Not Found"}'],
	[
		'A proxy that answers 200 to everything',
		200,
		JSON_TYPE,
		'{"statusCode":504,"error":"Gateway Timeout"}',
	],
	['LoopBack', 502, JSON_TYPE, '{"error":{"statusCode":502,"name":"BadGatewayError"}}'],
	[
		'n8n',
		404,
		JSON_TYPE,
		'{"code":404,"message":"The requested webhook is not registered.","hint":""}',
	],
	['A mock server', 200, JSON_TYPE, '{}'],
	[
		'An echo server',
		200,
		JSON_TYPE,
		'{"args":{},"data":"{\\"statusCode\\":\\"000000\\"}","headers":{},"json":{"statusCode":"000000"},"url":"/"}',
	],
];

/** The same in XML, which some of them write for a client that accepts it. */
const GATEWAYS_XML: readonly Shape[] = [
	[
		'Kong',
		504,
		XML_TYPE,
		`${XML}\n<error>\n  <message>The upstream server is timing out</message>\n</error>`,
	],
	[
		'Amazon EC2',
		500,
		XML_TYPE,
		`${XML}<Response><Errors><Error><Code>InternalError</Code></Error></Errors><RequestID>1</RequestID></Response>`,
	],
	[
		'SOAP 1.1',
		500,
		'text/xml',
		`${XML}<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><soap:Fault><faultcode>soap:Server</faultcode><faultstring>timeout</faultstring></soap:Fault></soap:Body></soap:Envelope>`,
	],
];

/** Pages and lines of text of proxies, load balancers, firewalls and web servers. */
const PAGES: readonly Shape[] = [
	[
		'nginx',
		502,
		HTML,
		'<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n',
	],
	['Envoy', 504, TEXT, 'upstream request timeout'],
	['Cloudflare', 520, TEXT, 'error code: 520'],
	[
		'Cloudflare challenge',
		403,
		HTML,
		page('Just a moment...', '<noscript>Enable JavaScript</noscript>'),
	],
	['Squid, asking for its password', 407, HTML, page('ERROR: Cache Access Denied', '<hr>')],
	[
		'Alibaba Cloud WAF',
		405,
		HTML,
		page('405', '<div>很抱歉，由于您访问的URL有可能对网站造成安全威胁</div>'),
	],
	[
		'A captive portal with a form',
		200,
		HTML,
		page('Welcome', '<form method="post" action="/login"><input name="user"/></form>'),
	],
	[
		'A captive portal that sends on',
		302,
		HTML,
		page('Login', '<a href="http://192.0.2.1/login">Login</a>'),
	],
	['A captive portal', 511, HTML, page('Network Authentication Required', '<a href="/">Login</a>')],
	[
		'A captive portal in WISPr',
		200,
		XML_TYPE,
		`${XML}<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode></Redirect></WISPAccessGatewayParam>`,
	],
];

const CODE = '<statusCode>000000</statusCode>';
const CALL = '"LandingCall":{"callSid":"c1"},"VoiceVerify":{"callSid":"c1"}';

/** What looks like a success of the service, and is none. */
const ALMOST: readonly Shape[] = (
	[
		['A web page with a code', HTML, `<html>${CODE}</html>`],
		['The answer in an envelope', XML_TYPE, `<Envelope><Response>${CODE}</Response></Envelope>`],
		['The answer in an answer', XML_TYPE, `<Response><Response>${CODE}</Response></Response>`],
		['A root that begins alike', XML_TYPE, `<ResponseList>${CODE}</ResponseList>`],
		['A root with a prefix', XML_TYPE, `<s:Response xmlns:s="urn:x">${CODE}</s:Response>`],
		[
			'A code with a prefix',
			XML_TYPE,
			'<Response xmlns:s="urn:x"><s:statusCode>000000</s:statusCode></Response>',
		],
		['The code as an attribute', XML_TYPE, '<Response statusCode="000000"/>'],
		['The code as the text of the root', XML_TYPE, '<Response>000000</Response>'],
		['The code in a comment', XML_TYPE, `<Response><!--${CODE}--></Response>`],
		[
			'A receipt for a call result',
			XML_TYPE,
			'<Response><statuscode>000000</statuscode></Response>',
		],
		['A JSON list', JSON_TYPE, `[{"statusCode":"000000",${CALL}}]`],
		['A JSON object in an object', JSON_TYPE, `{"Response":{"statusCode":"000000",${CALL}}}`],
		['JSON as a text of JSON', JSON_TYPE, JSON.stringify(`{"statusCode":"000000",${CALL}}`)],
		['JSONP', 'application/javascript', `callback({"statusCode":"000000",${CALL}})`],
		['JSON behind a guard', JSON_TYPE, `)]}',\n{"statusCode":"000000",${CALL}}`],
		['JSON behind a comment', JSON_TYPE, `/**/{"statusCode":"000000",${CALL}}`],
		['Lines of JSON', JSON_TYPE, `{"statusCode":"000000",${CALL}}\n{"statusCode":"000000"}`],
		['A code in a list', JSON_TYPE, `{"statusCode":["000000"],${CALL}}`],
		['The number 0', JSON_TYPE, `{"statusCode":0,${CALL}}`],
		['The code of HTTP', JSON_TYPE, `{"statusCode":200,${CALL}}`],
		['A fraction', JSON_TYPE, `{"statusCode":0.0000,${CALL}}`],
		['A code under another name', JSON_TYPE, `{"code":"000000","msg":"success",${CALL}}`],
		['A code of another case', JSON_TYPE, `{"StatusCode":"000000",${CALL}}`],
	] as const
).map(([from, contentType, body]) => [from, 200, contentType, body] as const);

/** Texts in the place of a code: shown with the words beside them, they tell nothing of the request. */
const ODD_CODES: readonly MatrixFault[] = [
	['The digit 0', '0'],
	['Seven digits', '0000000'],
	['Five digits', '00000'],
	['Full-width digits', '００００００'],
	['A sign', '+00000'],
	['Something behind the digits', '000000 OK'],
	['A line behind the digits', '000000\n0'],
	['A letter for a digit', '00000O'],
].map(([from, statusCode]) => ({
	...fault([from, 200, JSON_TYPE, `{"statusCode":${JSON.stringify(statusCode)},${CALL}}`]),
	statusCode,
	says: /not one of its six-digit codes/,
}));

/** Everything that others than the service answer. */
export const STRANGERS: readonly MatrixFault[] = [
	...[...GATEWAYS_JSON, ...GATEWAYS_XML.map(inXml), ...PAGES, ...ALMOST].map(fault),
	...ODD_CODES,
];

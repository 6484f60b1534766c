/** A guard, and how it is broken to see whether a test notices. */
export interface Guard {
	/** What it keeps from happening, as the documentation shows it. */
	readonly name: string;
	/** Where it stands. */
	readonly file: string;
	/** What stands there; once, exactly so. */
	readonly find: string;
	/** What stands there while the guard is broken. */
	readonly replace: string;
	/** The narrowest test file that notices. */
	readonly test: string;
	/** Part of the names of its tests that matter, where the others take long. */
	readonly only?: string;
}

const NODE = 'nodes/Yuntongxun';
const UNIT = 'test/unit';

const DECISIONS = `${NODE}/service/decisions.ts`;

/** Breaks the verdict of a row of the table of decisions. */
const decision = (row: string, verdict: readonly [from: string, to: string]): Guard => ({
	name: `Decision: ${row}`,
	file: DECISIONS,
	find: verdict[0],
	replace: verdict[1],
	test: `${UNIT}/service/decisions.test.ts`,
});

const ACCEPTED = (from: string, to: string, again: boolean) =>
	[
		`accepted: '${from}',\n\t\tagain: ${again},`,
		`accepted: '${to}',\n\t\tagain: ${again},`,
	] as const;

/** The same text stands in several rows, so each is found together with what is its own. */
function rowOf(own: string, [from, to]: readonly [string, string]): readonly [string, string] {
	return [`${own}\n\t\t${from}`, `${own}\n\t\t${to}`];
}

const ONE_LINE = (own: string, from: string, to: string) =>
	[`${own}, ${from}`, `${own}, ${to}`] as const;

/** Every row of the table that says whether a request goes out again. */
const DECISION_GUARDS: readonly Guard[] = [
	decision(
		'the connection failed before the request had left: not accepted',
		rowOf("fits: (reply) => 'sent' in reply && reply.sent === 'no',", ACCEPTED('no', 'yes', false)),
	),
	decision(
		'nothing in time, or the connection broke: unknown',
		rowOf("fits: (reply) => 'sent' in reply,", ACCEPTED('unknown', 'no', false)),
	),
	decision(
		'000000 without what makes it a success: accepted',
		rowOf('fits: isCode((code) => code === SUCCESS),', ACCEPTED('yes', 'no', false)),
	),
	decision(
		'a code for load: not accepted, goes out again',
		rowOf('fits: isCode((code) => LOAD_CODES.has(code)),', [
			"accepted: 'no',\n\t\tagain: true,",
			"accepted: 'no',\n\t\tagain: false,",
		]),
	),
	decision(
		'any other code: not accepted, does not go out again',
		rowOf('fits: isCode(() => true),', [
			"accepted: 'no',\n\t\tagain: false,",
			"accepted: 'no',\n\t\tagain: true,",
		]),
	),
	decision(
		'HTTP 429: not accepted, goes out again',
		ONE_LINE(
			'fits: isHttp(429)',
			"accepted: 'no', again: true",
			"accepted: 'unknown', again: false",
		),
	),
	decision(
		'HTTP 3xx: not accepted',
		ONE_LINE('fits: isHttp(300, 399)', "accepted: 'no'", "accepted: 'unknown'"),
	),
	decision(
		'HTTP 401: not accepted',
		ONE_LINE('fits: isHttp(401)', "accepted: 'no'", "accepted: 'unknown'"),
	),
	decision(
		'HTTP 403 to 405: not accepted',
		ONE_LINE('fits: isHttp(403, 405)', "accepted: 'no'", "accepted: 'unknown'"),
	),
	decision(
		'any other HTTP answer: unknown',
		rowOf("fits: (reply) => 'httpStatus' in reply,", ACCEPTED('unknown', 'no', false)),
	),
	decision('the codes for load are those and no others', [
		"...['160016', '161006'],",
		"...['160016'],",
	]),
];

/** Every guard that `docs/reliability.md` names. */
export const GUARDS: readonly Guard[] = [
	{
		name: 'What may have been accepted is not sent again by Retry On Fail',
		file: `${NODE}/execution/items.ts`,
		find: "if ('output' in outcome || outcome.failure.mayHaveHappened) {",
		replace: "if ('output' in outcome) {",
		test: `${UNIT}/execution/items.test.ts`,
	},
	{
		name: 'What succeeded is not sent again by Retry On Fail',
		file: `${NODE}/execution/items.ts`,
		find: "if ('output' in outcome || outcome.failure.mayHaveHappened) {",
		replace: "if ('failure' in outcome && outcome.failure.mayHaveHappened) {",
		test: `${UNIT}/execution/items.test.ts`,
	},
	{
		name: 'All items are checked before anything is sent',
		file: `${NODE}/execution/items.ts`,
		find: 'let stopped = !continues && outcomes.some(isFailure);',
		replace: 'let stopped = false;',
		test: `${UNIT}/execution/items.test.ts`,
	},
	{
		name: 'After a failure nothing more is begun, unless the node continues',
		file: `${NODE}/execution/items.ts`,
		find: 'stopped = !continues;',
		replace: 'stopped = false;',
		test: `${UNIT}/execution/items.test.ts`,
	},
	{
		name: 'A stopped execution begins nothing more',
		file: `${NODE}/execution/items.ts`,
		find: 'proceed: () => !stopped && cancelled?.aborted !== true,',
		replace: 'proceed: () => !stopped,',
		test: `${UNIT}/execution/items.test.ts`,
	},
	{
		name: 'What is refused for load goes out four times at most',
		file: `${NODE}/execution/throttle.ts`,
		find: 'overloaded && tries < MOST_TRIES &&',
		replace: 'overloaded &&',
		test: `${UNIT}/execution/throttle.test.ts`,
	},
	{
		name: 'A used idempotency key sends nothing',
		file: `${NODE}/execution/onceOnly.ts`,
		find: "const isNew = (answer: Claim) => 'isNew' in answer && answer.isNew;",
		replace: "const isNew = (answer: Claim) => 'isNew' in answer;",
		test: `${UNIT}/execution/onceOnly.test.ts`,
	},
	{
		name: 'A key is given back only where certainly nothing was sent',
		file: `${NODE}/execution/onceOnly.ts`,
		find: "return 'thrown' in result && (result.begun === false || wasRefused(result.thrown));",
		replace: "return 'thrown' in result;",
		test: `${UNIT}/execution/onceOnly.test.ts`,
	},
	{
		name: 'Nothing is sent where the key could not be recorded',
		file: `${NODE}/execution/onceOnly.ts`,
		find: 'return { thrown };\n\t}\n}',
		replace: 'return { isNew: true };\n\t}\n}',
		test: `${UNIT}/execution/onceOnly.test.ts`,
	},
	{
		name: 'Of copies of a key at the same moment one is sent',
		file: `${NODE}/execution/claims.ts`,
		find: 'for (const { key, answer } of questions) answer(fresh.delete(key));',
		replace: 'for (const { key, answer } of questions) answer(fresh.has(key));',
		test: `${UNIT}/execution/claims.test.ts`,
	},
	...DECISION_GUARDS,
	{
		name: 'Redirects are not followed',
		file: `${NODE}/service/transport.ts`,
		find: 'disableFollowRedirect: true,',
		replace: 'disableFollowRedirect: false,',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'n8n does not sign and send again on HTTP 401',
		file: `${NODE}/service/transport.ts`,
		find: 'ignoreHttpStatusErrors: true,',
		replace: 'ignoreHttpStatusErrors: false,',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'The time-out covers the whole answer',
		file: `${NODE}/service/transport.ts`,
		find: 'return await within(deadline, readAnswer());',
		replace: 'return await readAnswer();',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'An answer that is given up is cut off',
		file: `${NODE}/service/transport.ts`,
		find: 'body?.destroy();',
		replace: '',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'An answer that begins too late is cut off',
		file: `${NODE}/service/transport.ts`,
		find: 'if (deadline.aborted) body.destroy();',
		replace: '',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'An answer is given up beyond 4 MiB',
		file: `${NODE}/service/transport.ts`,
		find: 'if (size > MAX_ANSWER_BYTES) throw new Overlong();',
		replace: 'if (size > 4 * MAX_ANSWER_BYTES) throw new Overlong();',
		test: `${UNIT}/service/transport.test.ts`,
	},
	{
		name: 'An answer without its id is no success',
		file: `${NODE}/service/client.ts`,
		find: "if (essential !== undefined && answer.text(essential) === '') return essential;",
		replace: '',
		test: `${UNIT}/service/client.test.ts`,
	},
	{
		name: 'A list whose records lack their id is no success',
		file: `${NODE}/service/client.ts`,
		find: 'return isLacking ? each : undefined;',
		replace: 'return undefined;',
		test: `${UNIT}/service/client.test.ts`,
	},
	{
		name: 'XML entities of the document itself are refused',
		file: `${NODE}/service/xml.ts`,
		find: "onInputEntity: () => 'throw',",
		replace: "onInputEntity: () => 'allow',",
		test: `${UNIT}/service/decode.test.ts`,
		only: 'decode reads|decode refuses|what an enemy sends',
	},
	{
		name: 'What is nested deeper than 20 is refused',
		file: `${NODE}/service/wireFormat.ts`,
		find: "if (depth > DEEPEST) throw new Error('The text is nested too deep');",
		replace: '',
		test: `${UNIT}/service/decode.test.ts`,
		only: 'decode reads|decode refuses|what an enemy sends',
	},
	{
		name: 'Only well-formed XML is read',
		file: `${NODE}/service/xml.ts`,
		find: 'if (XMLValidator.validate(text) !== true)',
		replace: 'if (text === undefined)',
		test: `${UNIT}/service/decode.test.ts`,
		only: 'decode reads|decode refuses|what an enemy sends',
	},
	{
		name: 'Two values of one name are not taken for one',
		file: `${NODE}/service/wireFormat.ts`,
		find: 'values.length > 1 ? values.flat() : values[0]',
		replace: 'values[values.length - 1]',
		test: `${UNIT}/service/decode.test.ts`,
		only: 'decode reads|decode refuses|what an enemy sends',
	},
	{
		name: 'What is an object or a list is no text, nor is what an object inherits',
		file: `${NODE}/service/members.ts`,
		find: "Object.prototype.hasOwnProperty.call(members, name) ? members[name] : '';\n\treturn typeof member === 'string' ? member.trim() : '';",
		replace: "members[name];\n\treturn String(member ?? '').trim();",
		test: `${UNIT}/service/members.test.ts`,
	},
	{
		name: 'What XML cannot carry is refused',
		file: `${NODE}/resources/rules.ts`,
		find: 'if (form.inXml && !fitsXml(written)) {',
		replace: 'if (form.inXml && written === undefined) {',
		test: `${UNIT}/resources/rules.test.ts`,
	},
	{
		name: 'Text is escaped in XML',
		file: `${NODE}/service/xml.ts`,
		find: "encoder.encode(String(value)).replace(/\\r/g, '&#13;')",
		replace: 'String(value)',
		test: `${UNIT}/service/wireFormat.test.ts`,
		only: 'encode as XML',
	},
	{
		name: 'The credential signs for the host of its base URL only',
		file: `${NODE}/service/signRequest.ts`,
		find: 'if (addressOf(options)?.origin !== baseUrl.origin) {',
		replace: 'if (addressOf(options) === undefined) {',
		test: `${UNIT}/service/signRequest.test.ts`,
	},
	{
		name: 'A signature of before is replaced, not joined: the query',
		file: `${NODE}/service/signRequest.ts`,
		find: '.filter((pair) => !/^(?:sig=.*)?$/.test(pair));',
		replace: ".filter((pair) => pair !== '');",
		test: `${UNIT}/service/signRequest.test.ts`,
	},
	{
		name: 'A signature of before is replaced, not joined: the header',
		file: `${NODE}/service/signRequest.ts`,
		find: "([name]) => name.toLowerCase() !== 'authorization',",
		replace: '([name]) => name.length > 0,',
		test: `${UNIT}/service/signRequest.test.ts`,
	},
	{
		name: 'Segments of the path cannot be injected',
		file: `${NODE}/service/account.ts`,
		find: "[account.softVersion, 'Accounts', account.accountSid].map(encodeURIComponent)",
		replace: "[account.softVersion, 'Accounts', account.accountSid]",
		test: `${UNIT}/service/account.test.ts`,
	},
	{
		name: 'The base URL is https',
		file: `${NODE}/service/account.ts`,
		find: '/^https:\\/\\/[^\\s/\\\\]+/i.test(text)',
		replace: '/^https?:\\/\\/[^\\s/\\\\]+/i.test(text)',
		test: `${UNIT}/service/account.test.ts`,
	},
	{
		name: 'The base URL has no user name',
		file: `${NODE}/service/account.ts`,
		find: "if (text.split('/')[2].includes('@')) {",
		replace: "if (text === '') {",
		test: `${UNIT}/service/account.test.ts`,
	},
	{
		name: 'The base URL has no query',
		file: `${NODE}/service/account.ts`,
		find: 'if (/[?#]/.test(text)) {',
		replace: "if (text === '') {",
		test: `${UNIT}/service/account.test.ts`,
	},
	{
		name: 'Only allowed recipients are reached',
		file: `${NODE}/resources/prepare.ts`,
		find: 'if (task.to?.some((number) => !isAllowed(allowed, number))) {',
		replace: 'if (task.to?.some((number) => number === undefined)) {',
		test: `${UNIT}/resources/prepare.test.ts`,
	},
	{
		name: 'Allowed Recipients and its like take no expression',
		file: `${NODE}/resources/form.ts`,
		find: 'if (property.noDataExpression && form.isExpression(name)) {',
		replace: 'if (property.noDataExpression && name === undefined) {',
		test: `${UNIT}/resources/form.test.ts`,
	},
	{
		name: 'A dry run sends nothing',
		file: `${NODE}/resources/prepare.ts`,
		find: 'if (offered(operation, dryRun, form)) {',
		replace: 'if (offered(operation, dryRun, form) === undefined && key === undefined) {',
		test: `${UNIT}/resources/prepare.test.ts`,
	},
	{
		name: 'A field that a choice made disappear is not sent',
		file: `${NODE}/resources/form.ts`,
		find: 'applies(property, form) ? rule(form.parameter(property.name), property, form) : undefined,',
		replace: 'rule(form.parameter(property.name), property, form),',
		test: `${UNIT}/resources/form.test.ts`,
	},
	{
		name: 'What the service says is escaped where n8n shows HTML',
		file: `${NODE}/resources/failures.ts`,
		find: 'return text.replace(/[&<>"\']/g, (sign) => HTML_SIGNS[sign]);',
		replace: 'return text;',
		test: 'test/engine/failures.test.ts',
		only: 'what the service says',
	},
	{
		name: 'A repeated number of one text gets one message',
		file: `${NODE}/resources/sms/bulk.ts`,
		find: 'const fresh = numbers.filter((number) => !seen.has(number));',
		replace: 'const fresh = numbers;',
		test: `${UNIT}/resources/sms/bulk.test.ts`,
	},
	{
		name: 'Secrets of sub-accounts are left out where asked',
		file: `${NODE}/resources/subAccount/fields.ts`,
		find: 'Object.fromEntries(Object.entries(output).filter(([name]) => !SECRETS.includes(name)))',
		replace: 'output',
		test: 'test/engine/subAccounts.test.ts',
	},
	{
		name: 'An AI agent never sees secrets of sub-accounts',
		file: `${NODE}/resources/subAccount/fields.ts`,
		find: 'read: (form) => form.byAgent || (field.read(form) ?? byDefault),',
		replace: 'read: (form) => field.read(form) ?? byDefault,',
		test: 'test/engine/tool.test.ts',
	},
	{
		name: 'An AI agent closes no sub-account',
		file: `${NODE}/resources/subAccount/close.ts`,
		find: 'if (form.byAgent) {',
		replace: 'if (form.itemCount < 0) {',
		test: 'test/engine/tool.test.ts',
	},
	{
		name: 'What is no notification starts nothing: the action',
		file: `${NODE}/callResult/notification.ts`,
		find: "if (action === '' || (event !== 'other' && callSid === '')) return undefined;",
		replace: "if (event !== 'other' && callSid === '') return undefined;",
		test: `${UNIT}/callResult/notification.test.ts`,
	},
	{
		name: 'What is no notification starts nothing: the call',
		file: `${NODE}/callResult/notification.ts`,
		find: "if (action === '' || (event !== 'other' && callSid === '')) return undefined;",
		replace: "if (action === '') return undefined;",
		test: `${UNIT}/callResult/notification.test.ts`,
	},
	{
		name: 'A notification beyond 256 KiB is not looked at',
		file: `${NODE}/callResult/notification.ts`,
		find: 'if (body.length > MAX_BYTES) return {};',
		replace: '',
		test: `${UNIT}/callResult/notification.test.ts`,
	},
	{
		name: 'A notification that is not UTF-8 is none',
		file: `${NODE}/callResult/notification.ts`,
		find: "new TextDecoder('utf-8', { fatal: true })",
		replace: "new TextDecoder('utf-8')",
		test: `${UNIT}/callResult/notification.test.ts`,
	},
	{
		name: 'A request for a decision about a call is never acknowledged',
		file: `${NODE}/callResult/delivery.ts`,
		find: '...(notification?.action !== ASKS_FOR_DECISION && { notification }),',
		replace: 'notification,',
		test: 'test/engine/trigger.test.ts',
	},
	{
		name: 'A delivery cannot override what the trigger says, nor a prototype',
		file: `${NODE}/callResult/item.ts`,
		find: '.filter(([name]) => !RESERVED_NAMES.includes(name))',
		replace: '',
		test: `${UNIT}/callResult/item.test.ts`,
	},
	{
		name: 'A copy of a notification starts nothing',
		file: `${NODE}/callResult/duplicates.ts`,
		find: 'if (seen !== undefined && now - seen < MEMORY_MS) return true;',
		replace: '',
		test: `${UNIT}/callResult/duplicates.test.ts`,
	},
	{
		name: 'The memory for copies is bounded',
		file: `${NODE}/callResult/duplicates.ts`,
		find: 'if (memory.size <= MEMORY_SIZE && now - at < MEMORY_MS) break;',
		replace: 'if (now - at < MEMORY_MS) break;',
		test: `${UNIT}/callResult/duplicates.test.ts`,
	},
	{
		name: 'A forged result URL is refused',
		file: `${NODE}/callResult/signedUrl.ts`,
		find: "timingSafeEqual(Buffer.from(signature, 'hex'), expected) &&",
		replace: '',
		test: `${UNIT}/callResult/signedUrl.test.ts`,
	},
	{
		name: 'An expired result URL is refused',
		file: `${NODE}/callResult/signedUrl.ts`,
		find: 'secondsOf(now) <= Number(expires)',
		replace: "expires !== ''",
		test: `${UNIT}/callResult/signedUrl.test.ts`,
	},
	{
		name: 'The path of a result URL is signed',
		file: `${NODE}/callResult/signedUrl.ts`,
		find: "['result URL', expires, signedPathOf(url), others]",
		replace: "['result URL', expires, others]",
		test: `${UNIT}/callResult/signedUrl.test.ts`,
	},
	{
		name: 'The query of a result URL is signed',
		file: `${NODE}/callResult/signedUrl.ts`,
		find: "['result URL', expires, signedPathOf(url), others]",
		replace: "['result URL', expires, signedPathOf(url)]",
		test: `${UNIT}/callResult/signedUrl.test.ts`,
	},
	{
		name: 'A waiting call resumes by a signed address only',
		file: `${NODE}/callResult/waiting.ts`,
		find: "if (!isSignedUrl(url, authToken, now.getTime())) return answer(context, 'notSigned');",
		replace: '',
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'A waiting call resumes by its own result only: the call',
		file: `${NODE}/callResult/waiting.ts`,
		find: 'notification.callSid === call.callSid && notification.action === action',
		replace: 'notification.action === action',
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'A waiting call resumes by its own result only: the kind',
		file: `${NODE}/callResult/waiting.ts`,
		find: 'notification.callSid === call.callSid && notification.action === action',
		replace: 'notification.callSid === call.callSid',
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'A waiting call resumes once',
		file: `${NODE}/callResult/waiting.ts`,
		find: 'if (resumed.has(call)) return false;',
		replace: '',
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'A result does not write over the fields of the call',
		file: `${NODE}/callResult/waiting.ts`,
		find: '{ ...others, ...call, outcome, answered }',
		replace: '{ ...call, ...others, outcome, answered }',
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'A delivery that cannot be read never ends the waiting execution',
		file: `${NODE}/callResult/waiting.ts`,
		find: "\t\tcontext.logger.warn('A delivery to a waiting Yuntongxun call could not be read');\n\t\treturn answer(context, 'unavailable');",
		replace: "\t\tthrow new Error('A delivery could not be read');",
		test: `${UNIT}/callResult/waiting.test.ts`,
	},
	{
		name: 'The trigger hands results on to signed addresses only',
		file: `${NODE}/callResult/relay.ts`,
		find: 'return isSignedUrl(url, authToken, now) && isSignedUrl(resumeUrl, authToken, now);',
		replace: 'return isSignedUrl(resumeUrl, authToken, now);',
		test: `${UNIT}/callResult/relay.test.ts`,
	},
	{
		name: 'The trigger follows no redirect when it hands a result on',
		file: `${NODE}/callResult/resume.ts`,
		find: 'disableFollowRedirect: true,',
		replace: 'disableFollowRedirect: false,',
		test: `${UNIT}/callResult/relay.test.ts`,
	},
	{
		name: 'Results that are handed on at the same time are bounded',
		file: `${NODE}/callResult/relay.ts`,
		find: 'return underWay < MOST_AT_ONCE;',
		replace: 'return underWay >= 0;',
		test: `${UNIT}/callResult/relay.test.ts`,
	},
	{
		name: 'Require Signed URL refuses unsigned notifications',
		file: `${NODE}/callResult/receive.ts`,
		find: 'if (authToken === undefined || !isSignedUrl(delivery.url, authToken, now.getTime())) {',
		replace: 'if (authToken === undefined) {',
		test: 'test/engine/trigger.test.ts',
		only: 'Require Signed URL',
	},
	{
		name: 'Require Signed URL without a usable credential refuses everything',
		file: `${NODE}/callResult/receive.ts`,
		find: 'if (authToken === undefined || !isSignedUrl(delivery.url, authToken, now.getTime())) {',
		replace:
			'if (authToken !== undefined && !isSignedUrl(delivery.url, authToken, now.getTime())) {',
		test: 'test/engine/trigger.test.ts',
		only: 'Require Signed URL',
	},
];

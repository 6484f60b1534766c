import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --bad: #c62828; --good: #2e7d32;
	--wait: #b26a00; font: 15px/1.45 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --good: #81c784; --wait: #ffb74d; } }
body { margin: 0 auto; max-width: 78rem; padding: 0 1rem 3rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; }
h1 { font-size: 1.3rem; margin: 1rem 0 .25rem; flex: 1 1 16rem; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
.count { font-weight: 600; }
.bad { color: var(--bad); } .good { color: var(--good); } .wait { color: var(--wait); }
.columns { display: grid; gap: 0 1.5rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); } }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0 0 .4rem; }
summary { cursor: pointer; padding: .4rem .6rem; display: flex; flex-wrap: wrap; gap: .1rem .7rem; }
summary span { overflow-wrap: anywhere; }
.time { font-variant-numeric: tabular-nums; opacity: .75; }
.inside { padding: 0 .6rem .5rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
pre { background: var(--soft); border-radius: 4px; margin: .3rem 0; padding: .4rem; max-height: 16rem;
	overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; }
.empty { opacity: .75; } button { font: inherit; padding: .2rem .7rem; }
table { border-collapse: collapse; } th, td { text-align: left; padding: .15rem .8rem .15rem 0; }
td:first-child { white-space: nowrap; vertical-align: top; } span:empty { display: none; }
`;

/* Runs in the browser. What was received is shown as text, never as markup. */
const SCRIPT = `
'use strict';
const SHOWN = 200, PAUSE_MS = 1000;
const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
	const node = document.createElement(tag);
	if (className) node.className = className;
	if (text !== undefined) node.textContent = text;
	return node;
};
const time = (iso) => new Date(iso).toLocaleTimeString();
const short = (text) => (text.length > 20000 ? text.slice(0, 20000) + '…' : text);

function entry(list, key, parts, words, blocks) {
	const old = $(key);
	const node = make('details');
	node.id = key;
	node.open = old ? old.open : words.length > 0;
	const summary = make('summary');
	for (const [className, text] of parts) summary.append(make('span', className, text));
	const inside = make('div', 'inside');
	if (words.length > 0) {
		const ul = make('ul', 'bad');
		for (const word of words) ul.append(make('li', '', word));
		inside.append(ul);
	}
	for (const [title, text] of blocks) {
		if (text === '') continue;
		inside.append(make('div', '', title), make('pre', '', short(text)));
	}
	node.append(summary, inside);
	if (old) old.replaceWith(node);
	else list.prepend(node);
	while (list.children.length > SHOWN) list.lastElementChild.remove();
}

const getWords = (violations) => violations.map(({ words }) => words);
const judged = ({ words, isRefused }) => words + (isRefused ? '' : ' (recorded only)');

function describeAnswer({ answer, end, fault }) {
	const note = fault ? ' (injected: ' + fault + ')' : '';
	if (!answer) return [end === 'pending' ? 'wait' : 'bad', end + note];
	const good = answer.statusCode === '000000' && answer.httpStatus === 200;
	const text = ['HTTP ' + answer.httpStatus, answer.statusCode, answer.statusMsg];
	return [good ? 'good' : 'bad', text.filter(Boolean).join(' ') + note];
}

function showRequest(request) {
	const headers = Object.entries(request.headers).map(([name, value]) => name + ': ' + value);
	entry($('requests'), 'r' + request.sequence, [
		['time', '#' + request.sequence + ' ' + time(request.at)],
		['', request.operation || request.method + ' ' + request.path],
		['', request.fields.to || request.fields.friendlyName || ''],
		describeAnswer(request),
		['bad', request.violations.length > 0 ? request.violations.length + ' rules broken' : ''],
	], request.violations.map(judged), [
		['Address', request.method + ' ' + request.path + (request.query ? '?' + request.query : '')],
		['Headers', headers.join('\\n')],
		['Body', request.body],
	]);
}

function describeOutcome({ answer, error, violations }) {
	if (error) return ['bad', error];
	if (!answer) return ['wait', 'waiting for the receiver'];
	return [violations.length > 0 ? 'bad' : 'good', 'receiver answered HTTP ' + answer.httpStatus];
}

function showNotification(sent) {
	entry($('notifications'), 'n' + sent.sequence, [
		['time', time(sent.at)],
		['', sent.about],
		describeOutcome(sent),
	], getWords(sent.violations), [
		['Sent to ' + sent.url, sent.body],
		['Answer', sent.answer ? sent.answer.body : ''],
	]);
}

const ACCEPTED = {
	call: (one) => ['call', one.to, one.callSid],
	message: (one) => ['SMS', one.to.join(','), one.smsMessageSid],
	subAccount: (one) => ['sub-account', one.friendlyName, one.subAccountSid],
};
const getId = (one) => one.callSid || one.smsMessageSid || one.subAccountSid;

function showAccepted(one) {
	const [kind, whom, id] = ACCEPTED[one.kind](one);
	entry($('accepted'), 'a' + getId(one), [
		['time', time(one.at)], ['', kind], ['', whom], ['', id],
	], [], [['', JSON.stringify(one, null, 2)]]);
}

let revision = 0, generation;

async function look() {
	const answer = await fetch('_simulator/record?after=' + revision);
	const changes = await answer.json();
	if (generation !== undefined && generation !== changes.generation) {
		for (const id of ['requests', 'accepted', 'notifications', 'connections']) {
			$(id).replaceChildren();
		}
	}
	generation = changes.generation;
	revision = changes.revision;
	changes.requests.forEach(showRequest);
	changes.accepted.forEach(showAccepted);
	changes.notifications.forEach(showNotification);
	for (const { words } of changes.connectionViolations) {
		$('connections').prepend(make('li', '', words));
	}
	const { requests, violations } = changes.totals;
	$('received').textContent = requests + (requests === 1 ? ' request' : ' requests');
	$('wrong').textContent = violations === 0 ? 'no violations' : violations + (violations === 1 ? ' violation' : ' violations');
	$('wrong').className = 'count ' + (violations === 0 ? 'good' : 'bad');
}

async function keepLooking() {
	try {
		await look();
		$('state').textContent = '';
	} catch {
		$('state').textContent = 'The simulator does not answer.';
	}
	setTimeout(keepLooking, PAUSE_MS);
}

$('clear').addEventListener('click', () => fetch('_simulator/reset', { method: 'POST' }));
fetch('_simulator/numbers').then((answer) => answer.json()).then((rows) => {
	for (const { lastDigit, words } of rows) {
		const row = make('tr');
		row.append(make('td', '', '…' + lastDigit), make('td', '', words));
		$('numbers').append(row);
	}
});
keepLooking();
`;

const computeHash = (text: string): string =>
	`'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's Content-Security-Policy: its own style, script and data, and nothing else. */
export const PAGE_POLICY = [
	"default-src 'none'",
	`style-src ${computeHash(STYLE)}`,
	`script-src ${computeHash(SCRIPT)}`,
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
].join('; ');

/** The page at `/`: requests, their violations, and call results, as they happen. */
export const CONSOLE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Yuntongxun simulator</title>
<style>${STYLE}</style>
</head>
<body>
<header>
	<h1>Yuntongxun simulator</h1>
	<span id="received" class="count"></span>
	<span id="wrong" class="count"></span>
	<button id="clear" type="button">Reset the simulator</button>
</header>
<p id="state" class="bad" role="status"></p>
<div class="columns">
	<main>
		<h2>Received</h2>
		<ul id="connections" class="bad"></ul>
		<div id="requests"></div>
	</main>
	<aside>
		<h2>Accepted calls, SMS and sub-accounts</h2>
		<div id="accepted"></div>
		<h2>Call results sent</h2>
		<div id="notifications"></div>
		<h2>Results of calls, by the last digit of the number</h2>
		<table><tbody id="numbers"></tbody></table>
	</aside>
</div>
<script>${SCRIPT}</script>
</body>
</html>
`;

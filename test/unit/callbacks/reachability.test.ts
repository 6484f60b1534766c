import { findUnreachableHints } from '../../../nodes/Yuntongxun/callbacks/reachability';

const PRIVATE = [
	// This machine
	'localhost localhost:5678 LOCALHOST n8n.localhost user:secret@localhost:5678',
	'127.0.0.1 127.255.255.255 127.1 2130706433 0.0.0.0 [::1] [::] [0:0:0:0:0:0:0:1]',
	// Names of a local network
	'nas.local n8n.internal n8n.lan n8n.home n8n.test n8n.invalid n8n n8n:5678',
	// Private networks, and what a machine gives itself
	'10.0.0.0 10.255.255.255 192.168.0.1 192.168.255.255 169.254.0.1 169.254.12.34',
	'172.16.0.1 172.19.0.1 172.20.0.1 172.29.0.1 172.31.255.255',
	'[fc00::1] [fd12:3456::1] [FD12:3456::1] [fe80::1] [fe80::1]:5678',
	// Networks of providers
	'100.64.0.1 100.69.0.1 100.70.0.1 100.99.0.1 100.100.0.1 100.119.0.1 100.120.0.1 100.127.255.255',
];

const PUBLIC = [
	'n8n.example.com n8n.example.com:5678 8.8.8.8 [2001:db8::1] [2400:3200::1]',
	// Like local ones
	'localhost.example.com localhost-n8n.com 10.example.com local.example.com',
	'n8n.local.example.com n8n.internal.example.com webhook-test.example.com',
	'127.0.0.1.example.com 0.0.0.0.example.com 10.0.0.1.example.com 192.168.0.1.example.com',
	'172.16.0.1.example.com 169.254.0.1.example.com 100.64.0.1.example.com',
	'110.0.0.1 210.255.255.255 20.0.0.0 200.0.0.0',
	// Neighbors of private ones
	'126.255.255.255 128.0.0.1 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.1',
	'192.167.255.255 192.169.0.1 169.253.255.255 169.255.0.1 100.63.255.255 100.128.0.1',
	'[::2] [fbff::1] [ff02::1]',
];

const SET = 'N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.35)';
const isPrivate = (host: string) =>
	`reports the call result to ${host}, which cannot be reached from the internet. Use a public address: if it is one of n8n, set n8n's environment variable ${SET} to it.`;
const NOT_WHOLE = `reports the call result to n8n's public address, which is not a complete address. Begin n8n's environment variable ${SET} with https://.`;
const IS_TEST =
	"reports the call result to a test address, where n8n listens only while you test. Use the trigger's Production URL.";

const hintsAt = (url: string, inProduction = true) =>
	findUnreachableHints(url, inProduction).map((hint) => hint.replace(/^The service /, ''));

it.each(PRIVATE.map((row) => [row]))('warns that nobody reaches %s', (row) => {
	for (const host of row.split(' ')) {
		const { hostname } = new URL(`https://${host}`);
		expect(hintsAt(`https://${host}/webhook/4f9c/yuntongxun`)).toEqual([isPrivate(hostname)]);
	}
});

it.each(PUBLIC.map((row) => [row]))('does not warn of %s', (row) => {
	for (const host of row.split(' ')) {
		expect(hintsAt(`https://${host}/webhook/4f9c/yuntongxun`)).toEqual([]);
		expect(hintsAt(`https://${host}/webhook/4f9c/yuntongxun`, false)).toEqual([]);
	}
});

it.each<[string, string[], string[]]>([
	['http://n8n.example.com/webhook/4f9c', [], []],
	['n8n.example.com/webhook/4f9c', [NOT_WHOLE], [NOT_WHOLE]],
	['localhost:5678/webhook/4f9c', [NOT_WHOLE], [NOT_WHOLE]],
	['ftp://n8n.example.com/webhook/4f9c', [NOT_WHOLE], [NOT_WHOLE]],
	['xhttps://n8n.example.com/webhook/4f9c', [NOT_WHOLE], [NOT_WHOLE]],
	['https://n8n.example.com/webhook-test/4f9c/yuntongxun', [IS_TEST], []],
	['https://n8n.example.com/webhook/webhook-test', [], []],
	['https://n8n.example.com/webhook/4f9c?from=/webhook-test/', [], []],
])('hints for %s, in production and in a test run', (url, production, testing) => {
	expect([hintsAt(url), hintsAt(url, false)]).toEqual([production, testing]);
});

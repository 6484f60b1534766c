import type { IExecuteFunctions } from 'n8n-workflow';

import type { WaitWish } from '../../../nodes/Yuntongxun/callbacks/wait';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { findResultRoutes } from '../../../nodes/Yuntongxun/waiting/resultRoute';
import type { RoutedCall } from '../../../nodes/Yuntongxun/waiting/resultRoute';
import type { WaitingRun } from '../../../nodes/Yuntongxun/waiting/waitingRun';
import { nodeContext } from '../support/nodeContext';

const ACCOUNT = parseCredential({
	accountSid: 'made-up',
	authToken: 'made-up-token',
	baseUrl: 'https://example.com',
});
const WISH: WaitWish = {
	kind: 'wait',
	event: 'voiceNotification',
	continueWhen: 'allResults',
	maxWaitMs: 600_000,
};

const callsOf = (count: number, isDryRun = false): RoutedCall[] =>
	Array.from({ length: count }, () => ({ wish: WISH, isDryRun }));

/** Routes of the calls of one try, after so many of earlier tries that were accepted. */
async function routesOf(calls: readonly RoutedCall[], acceptedCalls: number, changes: object = {}) {
	const answerWith = async ({ url }: { url: string }) => {
		const [, nonce] = /ytAsk=([\w-]+)\./.exec(url) ?? [];
		const answer = { ytAnswer: nonce, events: [], holdsAccount: true, requiresSignedUrl: true };
		return { statusCode: 200, body: JSON.stringify(answer) };
	};
	const context = { ...nodeContext({}), helpers: { httpRequest: answerWith }, ...changes };
	const run = {
		acceptedCalls,
		buildAddress: () => 'https://n8n.example.com/webhook-waiting/7/x?ytWait=w',
	};
	return await findResultRoutes(
		context as unknown as IExecuteFunctions,
		ACCOUNT,
		run as unknown as WaitingRun,
		calls,
	);
}

it.each([
	[500, 0, 500],
	[501, 0, 500],
	[2, 499, 1],
	[1, 500, 0],
])('Of %i calls after %i that wait already, %i get a route', async (count, placed, wanted) => {
	const routes = await routesOf(callsOf(count), placed);
	expect(routes.map(({ ok }) => ok)).toEqual(
		Array.from({ length: count }, (_each, position) => position < wanted),
	);
});

it('A dry run is refused where the real run would be, in the same words', async () => {
	const real = await routesOf(callsOf(600), 0);
	const dry = await routesOf(callsOf(600, true), 0);
	expect(dry.map(({ ok }) => ok)).toEqual(real.map(({ ok }) => ok));
	expect(dry.at(-1)).toEqual(real.at(-1));
	expect(dry.at(-1)).toMatchObject({
		summary: 'Wait for Result works for up to 500 calls at once, and this run would wait for 600',
	});
});

it('Dry runs and calls that are placed do not count for each other', async () => {
	const calls = [...callsOf(501), ...callsOf(1, true), ...callsOf(499, true)];
	const routes = await routesOf(calls, 0);
	expect(routes.flatMap(({ ok }, position) => (ok ? [] : [position]))).toEqual([500]);
});

it.each<[string, object, RegExp[]]>([
	['nothing where all is well', {}, []],
	[
		'that the address is private',
		{ additionalData: { webhookBaseUrl: 'http://localhost:5678/webhook' } },
		[/localhost, which cannot be reached/],
	],
	[
		"that n8n's public address is not whole",
		{ additionalData: { webhookBaseUrl: 'n8n.example.com/webhook' } },
		[/not a whole address.*N8N_WEBHOOK_URL.*https:/],
	],
	[
		'that there is no trigger',
		{ workflow: { nodes: {} } },
		[/has no Yuntongxun Trigger.*open Triggers.*"On voice"/],
	],
])('A wait knows why its result may not come: %s', async (_what, changes, reasons) => {
	const [route] = await routesOf(callsOf(1), 0, changes);
	const hints = reasons.map((reason) => expect.stringMatching(reason) as string);
	expect(route).toMatchObject({ ok: true, hints, wait: { doubts: hints } });
});

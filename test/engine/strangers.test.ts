import type { IDataObject } from 'n8n-workflow';

import { breakConnections } from '../reliability/matrix/breakage';
import type { FaultEffect } from '../simulator';
import { useDeduplication } from './support/deduplication';
import { connect, execute, node, runNode, runsOf, TYPES } from './support/engine';
import { jsonOf, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
useDeduplication();

const NUMBER = '13800000005';
const RETRY = {
	onError: 'continueRegularOutput',
	retryOnFail: true,
	maxTries: 2,
	waitBetweenTries: 1,
} as const;

/** Calls twice with the same key, in two rounds of a loop, each with Retry On Fail. */
async function calledTwice(): Promise<IDataObject[]> {
	const parameters = operation(
		'call',
		'notify',
		{ to: NUMBER, mediaTxt: 'Hello' },
		{ idempotencyKey: 'order-42' },
	);
	const run = await execute(
		[
			node('Start', TYPES.start, { items: '[{}]' }),
			node('Loop', TYPES.loop, { items: '[{},{}]' }),
			node('Yuntongxun', TYPES.action, parameters, RETRY),
		],
		connect(['Start', 'Loop'], ['Loop', 'Yuntongxun', 1], ['Yuntongxun', 'Loop']),
		service.credential(),
	);
	return runsOf(run, 'Yuntongxun').map((each) => jsonOf(each)[0]);
}

const gateway = (status: number, body: string): FaultEffect => ({
	kind: 'http',
	status,
	body,
	contentType: 'application/json',
});

describe('what a stranger answers for a call that was accepted keeps its key', () => {
	it.each<[string, FaultEffect]>([
		['504 with its own code', gateway(504, '{"statusCode":504,"error":"Gateway Timeout"}')],
		['500 with its own code', gateway(500, '{"statusCode":500,"message":"Internal"}')],
		['200 with its own code', gateway(200, '{"statusCode":"504"}')],
		[
			'a page with the code of a success',
			gateway(200, '<html><statusCode>111111</statusCode></html>'),
		],
	])('%s', async (_what, effect) => {
		service.simulator.fail({ ...effect, accept: true, times: Infinity });
		const [first, second] = await calledTwice();
		expect(reportIn(first)).toMatchObject({ accepted: 'unknown', statusCode: '', statusMsg: '' });
		expect(second).toEqual({ duplicate: true, idempotencyKey: 'order-42', to: NUMBER });
		expect(service.simulator.accepted()).toHaveLength(1);
	});

	it.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNREFUSED'])(
		'read %s in place of an answer',
		async (code) => {
			service.simulator.fail({ kind: 'silence', accept: true, times: Infinity });
			const { host } = new URL(String(service.credential().baseUrl));
			const attempts = breakConnections(host, {
				at: 'waiting',
				error: () => Object.assign(new Error(`read ${code}`), { code, syscall: 'read' }),
			});
			try {
				const [first, second] = await calledTwice();
				expect(reportIn(first)).toMatchObject({ accepted: 'unknown', statusCode: '' });
				expect(second).toMatchObject({ duplicate: true });
				expect(service.simulator.accepted()).toHaveLength(1);
			} finally {
				attempts.stop();
			}
		},
	);
});

it('a page with the code of a success closes no sub-account', async () => {
	service.simulator.fail({
		kind: 'http',
		body: '<html><statusCode>000000</statusCode></html>',
		contentType: 'text/html',
		times: Infinity,
	});
	const run = await runNode({
		parameters: operation('subAccount', 'close', {
			subAccountSid: { __rl: true, mode: 'id', value: 'a'.repeat(32) },
		}),
		settings: RETRY,
		credential: service.credential(),
	});
	expect(reportIn(jsonOf(run)[0])).toMatchObject({ accepted: 'unknown' });
});

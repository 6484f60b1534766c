import type { Endpoint } from '../../nodes/Yuntongxun/client/client';
import { operationOf } from '../../nodes/Yuntongxun/resources';
import type { Simulator } from '../simulator';
import { ask, type LiveCredential } from './ask';
import type { Format, Shape } from './shape';

/** Records of a list that are looked at; on the simulator one more exists if there are more. */
const PAGE = 3;
const HEAD = ['', 'part', 'live', 'simulator'];
const READ_AS = '(read by the package as)';

function endpointOf(resource: string, operation: string): Endpoint {
	const endpoint = operationOf(resource, operation)?.endpoint;
	if (!endpoint) throw new Error(`The package has no operation ${resource} ${operation}`);
	return endpoint;
}

/** What is asked in both formats; reading costs nothing. */
const QUESTIONS: Array<{ title: string; endpoint: Endpoint; fields: Record<string, string> }> = [
	{ title: 'The account', endpoint: endpointOf('account', 'get'), fields: {} },
	{
		title: 'The first sub-accounts',
		endpoint: endpointOf('subAccount', 'getAll'),
		fields: { startNo: '0', offset: String(PAGE) },
	},
];

/** Two shapes side by side, as a table in words; parts that differ are marked. */
function compare(live: Shape, simulated: Shape): { differences: number; table: string } {
	const parts = [...new Set([...live.keys(), ...simulated.keys()])].sort();
	const rows = parts.map((part) => {
		const [one, other] = [live.get(part) ?? '-', simulated.get(part) ?? '-'];
		return [one === other ? ' ' : '≠', part, one, other];
	});
	const widths = HEAD.map((_, column) =>
		Math.max(...[HEAD, ...rows].map((row) => row[column].length)),
	);
	const lines = [HEAD, ...rows].map((row) =>
		row.map((cell, column) => cell.padEnd(widths[column])).join('  '),
	);
	return {
		differences: rows.filter(([mark]) => mark === '≠').length,
		table: lines.map((line) => line.trimEnd()).join('\n'),
	};
}

/**
 * Asks the live service with the package's own client and the simulator the same, and tells where
 * the shapes of their answers differ. Nothing that is told holds a value of an answer.
 *
 * @param tell shows lines
 * @returns whether everything succeeded as it does on the simulator
 */
export async function askLive(
	credential: LiveCredential,
	simulator: Simulator,
	tell: (text: string) => void,
): Promise<boolean> {
	const simulated = { ...simulator.credentials, baseUrl: simulator.url };
	let isSame = true;
	tell(`Asking ${new URL(credential.baseUrl).origin}. Reading costs nothing.`);
	for (const { title, endpoint, fields } of QUESTIONS) {
		for (const format of ['json', 'xml'] as Format[]) {
			const askOf = async (who: LiveCredential) =>
				await ask(who, format, endpoint, endpoint.root ? { appId: who.appId, ...fields } : {});
			const answer = await askOf(credential);
			// None, one and several sub-accounts look different.
			simulator.reset();
			simulator.seedSubAccounts(Math.min(Number(answer.text('totalCount')) || 0, PAGE + 1));
			const other = await askOf(simulated);
			const { differences, table } = compare(
				new Map([...answer.shape, [READ_AS, answer.verdict]]),
				new Map([...other.shape, [READ_AS, other.verdict]]),
			);
			isSame &&= differences === 0;
			tell(`\n${title}, ${format.toUpperCase()}: ${differences} differences\n${table}`);
		}
	}
	return isSame;
}

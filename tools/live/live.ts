import type { Endpoint } from '../../nodes/Yuntongxun/client/request';
import { findOperation } from '../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import type { Simulator } from '../../simulator/index';
import { ask, type Asked, type LiveCredential } from './ask';
import { resultOfCall, type LiveCall } from './call';
import type { Format, Shape } from './shape';

/** Records of a list that are looked at; on the simulator one more exists if there are more. */
const PAGE = 3;
const HEAD = ['', 'part', 'live', 'simulator'];
const SPOKEN = '这是一个测试电话。This is a test call.';
const USER_DATA = 'n8n-nodes-yuntongxun';
/** Calls of the simulator to it are answered. */
const ANSWERED_NUMBER = '13800000000';
const READ_AS = '(read by the package as)';

function findEndpoint(resource: string, operation: string): Endpoint {
	const endpoint = findOperation(RESOURCES, resource, operation)?.endpoint;
	if (!endpoint) throw new Error(`The package has no operation ${resource} ${operation}`);
	return endpoint;
}

/** What is asked in both formats; reading changes nothing. */
const QUESTIONS: Array<{ title: string; endpoint: Endpoint; fields: Record<string, string> }> = [
	{ title: 'The account', endpoint: findEndpoint('account', 'get'), fields: {} },
	{
		title: 'The first sub-accounts',
		endpoint: findEndpoint('subAccount', 'getAll'),
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

const withVerdict = ({ shape, verdict }: Asked): Shape => new Map([...shape, [READ_AS, verdict]]);

/** Tells what is the same, and remembers whether everything was. */
class Comparison {
	isSame = true;

	constructor(
		private readonly live: LiveCredential,
		private readonly simulator: Simulator,
		private readonly tell: (text: string) => void,
	) {}

	private get simulated(): LiveCredential {
		return { ...this.simulator.credentials, baseUrl: this.simulator.url };
	}

	async askQuestions(): Promise<void> {
		const { live, simulator, simulated } = this;
		for (const { title, endpoint, fields } of QUESTIONS) {
			for (const format of ['json', 'xml'] as Format[]) {
				const askAs = async (who: LiveCredential) =>
					await ask(who, format, endpoint, endpoint.root ? { appId: who.appId, ...fields } : {});
				const answer = await askAs(live);
				// None, one and several sub-accounts look different.
				simulator.reset();
				simulator.seedSubAccounts(Math.min(Number(answer.text('totalCount')) || 0, PAGE + 1));
				const other = await askAs(simulated);
				this.show(`${title}, ${format.toUpperCase()}`, withVerdict(answer), withVerdict(other));
			}
		}
	}

	/** @param agrees says that the cost of the call is accepted */
	async makeCall(call: LiveCall, agrees: () => Promise<boolean>): Promise<void> {
		const answers: Shape[] = [];
		const placeAs = (who: LiveCredential, to: string) => async (url: string) => {
			const fields = { appId: who.appId, to, mediaTxt: SPOKEN, respUrl: url, userData: USER_DATA };
			const asked = await ask(who, 'json', findEndpoint('call', 'notify'), fields);
			answers.push(withVerdict(asked));
			return asked.verdict === 'success';
		};
		const place = placeAs(this.live, call.to);
		const result = await resultOfCall(call, async (url) => (await agrees()) && place(url));
		const here = { resultUrl: `http://127.0.0.1:${call.port}/`, port: call.port };
		const other =
			typeof result === 'string'
				? result
				: await resultOfCall(here, placeAs(this.simulated, ANSWERED_NUMBER));
		if (answers.length === 2) this.show('A voice notification call', answers[0], answers[1]);
		this.show('The result of the call', result, other);
	}

	private show(title: string, live: Shape | string, other: Shape | string): void {
		const isText = typeof live === 'string' || typeof other === 'string';
		const { differences, table } = isText
			? { differences: 1, table: String(typeof live === 'string' ? live : other) }
			: compare(live, other);
		this.isSame &&= differences === 0;
		this.tell(`\n${title}: ${isText ? 'not compared' : `${differences} differences`}\n${table}`);
	}
}

/**
 * Asks the live service with the package's own client and the simulator the same, and tells where
 * the shapes of their answers differ. Nothing that is told holds a value of an answer.
 *
 * @param tell shows lines
 * @param call to make as well, once `agrees` says that its cost is accepted
 * @returns whether everything succeeded as it does on the simulator
 */
export async function askLive(
	credential: LiveCredential,
	simulator: Simulator,
	tell: (text: string) => void,
	call?: LiveCall & { agrees: () => Promise<boolean> },
): Promise<boolean> {
	const comparison = new Comparison(credential, simulator, tell);
	tell(`Asking ${new URL(credential.baseUrl).origin}. Reading changes nothing.`);
	await comparison.askQuestions();
	if (call) await comparison.makeCall(call, call.agrees);
	return comparison.isSame;
}

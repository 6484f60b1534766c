import type { INodeExecutionData } from 'n8n-workflow';

import type { RecordedRequest, Simulator } from '../../../simulator/index';
import type { NodeRun } from '../../support/engine/engine';
import { getJson, readReport } from '../../support/engine/expectations';
import type { MatrixFault } from './fault';
import type { Format, MatrixOperation } from './operations';

/** How often the node itself sends what is refused for too much at once. Specification section 7. */
const TRIES_UNDER_LOAD = 4;

/** What is needed to judge a run besides the run itself. */
interface Circumstances {
	fault: MatrixFault;
	operation: MatrixOperation;
	format: Format;
	simulator: Simulator;
	/** What reached the service. */
	requests: RecordedRequest[];
}

type Items = Array<INodeExecutionData['json']>;
type Check = [isWrong: boolean, words: string];

/** Everything that is not as it has to be, by the contract. */
export function findDeviations(run: NodeRun, about: Circumstances): string[] {
	const items = getJson(run);
	const hasFailed = items[0]?.error !== undefined;
	const checks = [
		...checkRequests(about),
		...(hasFailed ? checkFailure(items, about) : checkSuccess(items, about)),
	];
	return checks.filter(([isWrong]) => isWrong).map(([, words]) => words);
}

const getAccepted = ({ requests }: Circumstances) => requests.filter(({ accepted }) => accepted);

/** What has to come of it in this format. */
const getConsequence = ({ fault, format }: Circumstances) =>
	(format === 'xml' && fault.inXml) || fault;

function checkRequests(about: Circumstances): Check[] {
	const { fault, requests } = about;
	const tries = fault.isLoad ? TRIES_UNDER_LOAD : 1;
	const wanted = fault.strikes.kind === 'address' ? 0 : tries;
	const accepted = getAccepted(about).length;
	return [
		[requests.length !== wanted, `${requests.length} requests instead of ${wanted}`],
		[accepted > 1, `accepted ${accepted} times`],
		[requests.some(({ violations }) => violations.length > 0), 'the request breaks a rule'],
	];
}

function checkSuccess(items: Items, about: Circumstances): Check[] {
	const { operation, simulator } = about;
	const [accepted] = getAccepted(about);
	const acceptance = simulator.accepted().find(({ request }) => request === accepted?.sequence);
	const isRight = operation.isRight({ simulator, json: items, accepted: acceptance });
	return [
		[getConsequence(about).then !== 'success', 'a success instead of a failure'],
		[!isRight, 'a result that the service does not know'],
	];
}

function checkFailure(items: Items, about: Circumstances): Check[] {
	const { fault, operation } = about;
	const { then, says } = getConsequence(about);
	const { message, statusCode, to, accepted } = readReport(items[0]);
	const code = fault.statusCode ?? (then === 'noResult' ? '000000' : '');
	const claim = then === 'noResult' ? 'yes' : then;
	const wanted = operation.changes ? claim : undefined;
	const isAccepted = getAccepted(about).length > 0;
	return [
		[items.length > 1 || Object.keys(items[0]).length > 1, 'more than one error item'],
		[then === 'success', `a failure instead of a success: ${message}`],
		[!says.test(message), `it says: ${message}`],
		[!/^[A-Z].{10,}\. .* ?\[item 0\]$/s.test(message), `it is not clear: ${message}`],
		[statusCode !== code, `the code ${statusCode}`],
		[to !== operation.to, `to: ${to}`],
		[accepted !== wanted, `accepted: ${accepted}`],
		[
			readAcceptance(message) !== (wanted === 'no' ? undefined : wanted),
			`it says of its acceptance: ${message}`,
		],
		// Whatever the table of the matrix says, the service's own record is the witness.
		[accepted === 'no' && isAccepted, 'it was accepted all the same'],
		[accepted === 'yes' && !isAccepted, 'it was never accepted'],
	];
}

/** What a message says of acceptance. */
function readAcceptance(message: string): string | undefined {
	if (/Nobody can tell whether it was accepted/.test(message)) return 'unknown';
	return /It was accepted, so do not send it again/.test(message) ? 'yes' : undefined;
}

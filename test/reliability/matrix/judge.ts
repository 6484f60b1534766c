import type { NodeRun } from '../../support/engine/engine';
import { getJson, reportIn } from '../../support/engine/expectations';
import type { RecordedRequest, Simulator } from '../../../simulator/index';
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

/** Everything that is not as it has to be, by the contract. */
export function verdictOn(run: NodeRun, about: Circumstances): string[] {
	const { fault, operation, format, requests, simulator } = about;
	const { then, says } = (format === 'xml' && fault.inXml) || fault;
	const tries = fault.isLoad ? TRIES_UNDER_LOAD : 1;
	const wantedRequests = 'address' in fault.strikes ? 0 : tries;
	const accepted = requests.filter((request) => request.accepted);
	const deviations: string[] = [];
	const wrongIf = (isWrong: boolean, words: string) => {
		if (isWrong) deviations.push(words);
	};
	wrongIf(
		requests.length !== wantedRequests,
		`${requests.length} requests instead of ${wantedRequests}`,
	);
	wrongIf(accepted.length > 1, `accepted ${accepted.length} times`);
	wrongIf(
		requests.some(({ violations }) => violations.length > 0),
		'the request breaks a rule',
	);
	const json = getJson(run);
	if (json[0]?.error === undefined) {
		wrongIf(then !== 'success', 'a success instead of a failure');
		const acceptance = simulator
			.accepted()
			.find(({ request }) => request === accepted.at(0)?.sequence);
		const isRight = operation.isRight({ simulator, json, accepted: acceptance });
		wrongIf(!isRight, 'a result that the service does not know');
		return deviations;
	}
	wrongIf(json.length > 1 || Object.keys(json[0]).length > 1, 'more than one error item');
	const failure = reportIn(json[0]);
	const { message } = failure;
	const claim = then === 'noResult' ? 'yes' : then;
	const wantedCode = fault.statusCode ?? (then === 'noResult' ? '000000' : '');
	wrongIf(then === 'success', `a failure instead of a success: ${message}`);
	wrongIf(!says.test(message), `it says: ${message}`);
	wrongIf(!/^[A-Z].{10,}\. .* ?\[item 0\]$/s.test(message), `it is not clear: ${message}`);
	wrongIf(failure.statusCode !== wantedCode, `the code ${failure.statusCode}`);
	wrongIf(failure.to !== operation.to, `to: ${failure.to}`);
	const told = operation.changes ? claim : undefined;
	wrongIf(failure.accepted !== told, `accepted: ${failure.accepted}`);
	wrongIf(
		acceptanceIn(message) !== (told === 'no' ? undefined : told),
		`it says of its acceptance: ${message}`,
	);
	// Whatever the table of the matrix says, the service's own record is the witness.
	wrongIf(failure.accepted === 'no' && accepted.length > 0, 'it was accepted all the same');
	wrongIf(failure.accepted === 'yes' && accepted.length === 0, 'it was never accepted');
	return deviations;
}

/** What a message says of acceptance. */
function acceptanceIn(message: string): string | undefined {
	if (/Nobody can tell whether it was accepted/.test(message)) return 'unknown';
	return /It was accepted, so do not send it again/.test(message) ? 'yes' : undefined;
}

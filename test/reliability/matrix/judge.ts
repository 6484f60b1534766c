import type { NodeRun } from '../../support/engine/engine';
import { getJson, reportIn } from '../../support/engine/expectations';
import type { RecordedRequest, Simulator } from '../../../simulator/index';
import type { MatrixFault } from './fault';
import type { SettingName } from './matrix';
import type { Format, MatrixOperation } from './operations';

/** How often n8n runs a node that is set to try again. */
const TRIES = 2;

/** How often the node itself sends what is refused for too much at once. Specification section 7. */
const TRIES_UNDER_LOAD = 4;

/** What has to come of one combination, by the contract. */
export interface Expectation {
	isSuccess: boolean;
	/** Requests that have to reach the service. */
	requests: number;
	/** In the error item; undefined where acceptance means nothing. */
	accepted?: 'no' | 'unknown' | 'yes';
	statusCode: string;
	says: RegExp;
}

/** The contract, put to one combination. */
export function expectationFor(
	fault: MatrixFault,
	{ operation, format, setting }: Pick<Circumstances, 'operation' | 'format' | 'setting'>,
): Expectation {
	const { changes } = operation;
	const { then, says } = (format === 'xml' && fault.inXml) || fault;
	const { statusCode = then === 'noResult' ? '000000' : '' } = fault;
	const isSuccess = then === 'success';
	const accepted = then === 'noResult' ? 'yes' : then === 'success' ? undefined : then;
	const mayGoOutAgain = !isSuccess && (!changes || accepted === 'no');
	const sent = 'address' in fault.strikes ? 0 : 1;
	return {
		isSuccess,
		requests:
			sent *
			(setting === 'retry' && mayGoOutAgain ? TRIES : 1) *
			(fault.isLoad ? TRIES_UNDER_LOAD : 1),
		...(!isSuccess && changes && { accepted }),
		statusCode,
		says,
	};
}

/** What is needed to judge a run besides the run itself. */
interface Circumstances {
	operation: MatrixOperation;
	format: Format;
	setting: SettingName;
	simulator: Simulator;
	/** What reached the service. */
	requests: RecordedRequest[];
}

/** Everything that is not as it has to be. */
export function verdictOn(run: NodeRun, expected: Expectation, about: Circumstances): string[] {
	const accepted = about.requests.filter((request) => request.accepted);
	const deviations: string[] = [];
	const wrongIf = (isWrong: boolean, words: string) => {
		if (isWrong) deviations.push(words);
	};
	wrongIf(
		about.requests.length !== expected.requests,
		`${about.requests.length} requests instead of ${expected.requests}`,
	);
	wrongIf(accepted.length > 1, `accepted ${accepted.length} times`);
	wrongIf(
		about.requests.some(({ violations }) => violations.length > 0),
		'the request breaks a rule',
	);
	const failure = readFailure(run, about.setting, expected);
	if (failure === undefined) {
		wrongIf(!expected.isSuccess, 'a success instead of a failure');
		const acceptance = about.simulator
			.accepted()
			.find(({ request }) => request === accepted.at(0)?.sequence);
		const isRight =
			run.error === undefined &&
			about.operation.isRight({ ...about, json: getJson(run), accepted: acceptance });
		wrongIf(expected.isSuccess && !isRight, 'a result that the service does not know');
		return deviations;
	}
	const { message } = failure;
	wrongIf(expected.isSuccess, `a failure instead of a success: ${message}`);
	wrongIf(!expected.says.test(message), `it says: ${message}`);
	wrongIf(!/^[A-Z].{10,}\. .* ?\[item 0\]$/s.test(message), `it is not clear: ${message}`);
	wrongIf(failure.statusCode !== expected.statusCode, `the code ${failure.statusCode}`);
	wrongIf(failure.accepted !== expected.accepted, `accepted: ${failure.accepted}`);
	wrongIf(
		acceptanceIn(message) !== (expected.accepted === 'no' ? undefined : expected.accepted),
		`it says of its acceptance: ${message}`,
	);
	// Whatever the table of the matrix says, the service's own record is the witness.
	const claim = failure.accepted;
	wrongIf(claim === 'no' && accepted.length > 0, 'it was accepted all the same');
	wrongIf(claim === 'yes' && accepted.length === 0, 'it was never accepted');
	wrongIf(about.setting === 'continue' && failure.to !== about.operation.to, `to: ${failure.to}`);
	return deviations;
}

interface Failure {
	message: string;
	statusCode: string;
	accepted?: string;
	to?: string;
}

/** What a message says of acceptance, for whoever has no error item to look at. */
function acceptanceIn(message: string): string | undefined {
	if (/Nobody can tell whether it was accepted/.test(message)) return 'unknown';
	return /It was accepted, so do not send it again/.test(message) ? 'yes' : undefined;
}

/** What a user is told: in an error item where the node goes on, else in the error. */
function readFailure(
	{ error, ...run }: NodeRun,
	setting: SettingName,
	{ accepted }: Expectation,
): Failure | undefined {
	if (setting === 'continue') {
		const [json, ...more] = getJson({ ...run, error });
		if (json?.error === undefined) return undefined;
		const isAlone = more.length === 0 && Object.keys(json).length === 1;
		return isAlone ? reportIn(json) : { message: 'More than one error item', statusCode: '' };
	}
	if (!error) return undefined;
	const { name, message } = error;
	const description = 'description' in error ? String(error.description ?? '') : '';
	// n8n shows the description below the message, which ends in the item. It is HTML.
	const both = message.replace(/ \[item \d+\]$/, (item) => `. ${decoded(description)}${item}`);
	// The error itself has no place for it: its words are judged.
	const facts = { statusCode: 'httpCode' in error ? String(error.httpCode ?? '') : '', accepted };
	return { message: name === 'NodeApiError' ? both : `${name}: ${both}`, ...facts };
}

const decoded = (html: string): string =>
	html.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => SIGNS[name]);

const SIGNS: Record<string, string> = {
	'&amp;': '&',
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'",
};

import { operationOf } from '../../nodes/Yuntongxun/resources';
import type { Endpoint } from '../../nodes/Yuntongxun/client/client';
import type { Simulator } from '../simulator';
import { compareCall } from './call';
import type { LiveSettings } from './settings';
import type { Format } from './shape';
import { createSideBySide } from './sideBySide';

/** Whoever opened the door. */
export interface Person {
	/** Shows some lines. */
	tell(text: string): void;
	/** Asks for a confirmation. */
	agrees(question: string): Promise<boolean>;
}

const FORMATS: readonly Format[] = ['json', 'xml'];
/** Records of a list that are looked at; on the simulator one more exists if there are more. */
const PAGE = 3;

function endpointOf(resource: string, operation: string): Endpoint {
	const endpoint = operationOf(resource, operation)?.endpoint;
	if (!endpoint) throw new Error(`The package has no operation ${resource} ${operation}`);
	return endpoint;
}

/**
 * Asks the live service with the package's own client and the simulator the same, and tells where
 * the shapes of their answers differ. Nothing that is told holds a value of an answer.
 *
 * @returns whether everything succeeded as it does on the simulator
 */
export async function askLive(
	{ credential, call }: LiveSettings,
	simulator: Simulator,
	person: Person,
): Promise<boolean> {
	const both = createSideBySide(credential, simulator, person.tell);
	person.tell(`Asking ${new URL(credential.baseUrl).origin}. Reading costs nothing.`);
	for (const format of FORMATS) {
		const endpoint = endpointOf('account', 'get');
		await both.ask({ title: 'The account', format, endpoint, fields: () => ({}) });
	}
	for (const format of FORMATS) {
		await both.ask({
			title: 'The first sub-accounts',
			format,
			endpoint: endpointOf('subAccount', 'getAll'),
			fields: (side) => ({ appId: side.credential.appId, startNo: '0', offset: String(PAGE) }),
			// None, one and several look different.
			prepare: (live) => {
				simulator.reset();
				simulator.seedSubAccounts(Math.min(Number(live.text('totalCount')) || 0, PAGE + 1));
			},
		});
	}
	if (call) await compareCall(call, endpointOf('call', 'notify'), both, person);
	const different = both.different();
	person.tell(
		different.length === 0
			? '\nThe simulator answers alike everywhere.'
			: `\nNot as on the simulator: ${different.join('; ')}.`,
	);
	return different.length === 0;
}

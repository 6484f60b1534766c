import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { WaitingRun } from '../callResult/waitingRun';
import { Claims } from '../execution/claims';
import { LastingClaims } from '../execution/lastingClaims';
import { nodeItems, runItems } from '../execution/items';
import type { Item } from '../execution/items';
import { NotBegun } from '../execution/notBegun';
import { Throttle } from '../execution/throttle';
import { tokenRecordsOf } from '../execution/tokenRecords';
import { idsOf, acknowledgementOf } from '../operation/output';
import { parseAccount } from '../client/account';
import { createClient } from '../client/client';
import { chosenOperation } from './chosenOperation';
import { groupsOf } from './groups';
import { hintsOf } from './hints';
import { itemFailure } from './itemFailure';
import { createItemContext } from './itemContext';
import { jobOf } from './jobs';
import { checkRoom } from './limits';
import { validateItem } from './validateItem';
import type { ReadyTask } from './validateItem';
import { settingsOfRun } from './runSettings';
import { signedHttp } from '../client/transport';

/**
 * Runs the chosen operation for every item.
 *
 * @returns the output items, in input order
 * @throws NodeApiError if the service refused, NodeOperationError if a form is wrong, unless the
 * node continues on failures
 */
export async function executeNode(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const waiting = WaitingRun.begin(context);
	const node = context.getNode();
	const operation = chosenOperation(context);
	const changes = operation.endpoint?.changes ?? false;
	const credential = await context.getCredentials('yuntongxunApi');
	const http = signedHttp(context);
	const formOf = (index: number, account = parseAccount(credential)) =>
		createItemContext(context, index, operation, account, waiting);
	const { pace, combine } = settingsOfRun(operation, () => formOf(0));
	const throttle = new Throttle(pace);
	const claims = new Claims(context);
	const lasting = new LastingClaims(context);
	const tokens = tokenRecordsOf(context, lasting);

	const explain = (thrown: unknown, index: number, task?: ReadyTask) =>
		itemFailure(node, thrown, {
			index,
			to: task?.to?.join(','),
			changes,
			sent: task !== undefined && !(thrown instanceof NotBegun),
		});

	let items: Array<Item<ReadyTask>>;
	try {
		items = await runItems<ReadyTask>(context, {
			check(index) {
				const account = parseAccount(credential);
				return validateItem(operation, formOf(index, account), (format, timeout) =>
					createClient(account, http, format, timeout),
				);
			},
			plan(checked) {
				checkRoom(checked.map(({ task }) => task));
				const tools = { waiting, throttle, claims, tokens, explain };
				return {
					jobs: groupsOf(checked, combine).map((group) => jobOf(group, tools)),
					width: pace.concurrency,
				};
			},
			explain,
			receipt: (output) => (changes ? acknowledgementOf(output) : undefined),
			forLog: idsOf,
			hints: (tasks) =>
				hintsOf(tasks, {
					continues: context.continueOnFail(),
					combine,
					refusals: throttle.refusals,
				}),
		});
	} finally {
		await Promise.all([claims.makeSure(), lasting.makeSure()]);
	}
	return await waiting.park(nodeItems(items));
}

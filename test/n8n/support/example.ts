import type { N8nRest, StoredWorkflow } from '../harness/n8nRest';
import { importFilledIn, readExample } from './examples';
import type { StoredCredential } from './world';

/** Names of the nodes in `examples/missed-call-sends-sms.json`. */
export const exampleNodes = {
	start: 'When Order Arrives',
	call: 'Call Customer',
	trigger: 'Call Result',
	decision: 'Nobody Answered?',
	sms: 'Text Customer',
} as const;

/** A template of the simulator with two variables, as the example's SMS has them. */
export const EXAMPLE_TEMPLATE = '100002';

/**
 * Imports the example and fills in what its note asks a user to fill in: the credential, the number
 * to call and the template.
 *
 * @param number to call
 * @returns the workflow, not yet active
 */
export async function importExample(
	rest: N8nRest,
	credential: StoredCredential,
	number: string,
): Promise<StoredWorkflow> {
	const example = await readExample('missed-call-sends-sms.json');
	return await importFilledIn(rest, credential, example, {
		[exampleNodes.call]: { to: number },
		[exampleNodes.sms]: { templateId: EXAMPLE_TEMPLATE },
	});
}

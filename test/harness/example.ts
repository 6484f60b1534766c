import { importAndFill, readExample } from './examples';
import type { N8nRest, StoredWorkflow } from './n8nRest';
import type { StoredCredential } from './world';

/** Names of the nodes in `examples/missed-call-sends-sms.json`. */
export const exampleNodes = {
	start: 'When Order Arrives',
	call: 'Call Customer',
	trigger: 'Call Result',
	decision: 'Nobody Answered?',
	sms: 'Text Customer',
} as const;

/** What a person enters into the form of the example, after the number to call. */
export const exampleOrder = ['1042', '30'];

/** A template of the simulator with two variables, as the example's SMS has them. */
export const EXAMPLE_TEMPLATE = '100002';

/**
 * Imports the example and fills in what its note asks a user to fill in: the credential and the
 * template.
 *
 * @returns the workflow, not yet active
 */
export async function importExample(
	rest: N8nRest,
	credential: StoredCredential,
): Promise<StoredWorkflow> {
	const example = await readExample('missed-call-sends-sms.json');
	return await importAndFill(rest, credential, example, {
		[exampleNodes.sms]: { templateId: EXAMPLE_TEMPLATE },
	});
}

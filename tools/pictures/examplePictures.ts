import type { WorkflowDefinition } from '../../test/harness/n8nRest';
import { takeCanvasPicture } from './canvasPicture';
import { getPath, storeExample, withWorkflow, type Sitting, type Studio } from './studio';

const VIEW = { width: 1600, height: 1000 };

/** Those that a document shows. */
const SHOWN = ['appointment-reminders-from-file', 'ask-by-sms-and-wait'];

/** Without these the picture would show a warning on a node. */
const SAMPLES: Record<string, unknown> = {
	to: '13800000000',
	templateId: '100001',
	dataTableId: { __rl: true, mode: 'id', value: 'table' },
};

const isEmpty = (value: unknown) =>
	value === '' || (value as { value?: unknown } | undefined)?.value === '';

/** @returns the samples for the empty fields of each node */
const chooseSamples = ({ nodes }: WorkflowDefinition) =>
	Object.fromEntries(
		nodes.map(({ name, parameters }) => [
			name,
			Object.fromEntries(
				Object.entries(SAMPLES).filter(
					([field]) => Object.hasOwn(parameters, field) && isEmpty(parameters[field]),
				),
			),
		]),
	);

async function take(studio: Studio, name: string): Promise<void> {
	const workflow = await storeExample(studio, `${name}.json`, chooseSamples);
	await withWorkflow(studio, workflow, VIEW, async ({ page }) => {
		await takeCanvasPicture(page, getPath(studio, name, 'examples'));
	});
}

/** Workflows as n8n's editor draws them. */
export const EXAMPLES: Sitting[] = SHOWN.map((name) => ({
	name,
	take: async (studio) => await take(studio, name),
}));

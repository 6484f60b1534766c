import type { Editor } from '../../test/harness/editor';
import type { WorkflowDefinition, WorkflowNode } from '../../test/harness/n8nRest';
import { Film } from './film';
import { getPath, storeExample, withWorkflow, type Sitting, type Studio } from './studio';

const NAME = 'call-then-sms';

const VIEW = { width: 1060, height: 680 };

/** The canvas, and the logs below it. */
const CLIP = { x: 42, y: 66, width: 1018, height: 614 };

const BESIDE =
	`canvas-controls canvas-minimap logs-panel-actions node-creator-plus-button command-bar-button
	add-sticky-button toggle-focus-panel-button instance-ai-canvas-action-button`.split(/\s+/);

const AROUND = [
	'#header',
	'#sidebar',
	'.el-notification',
	'[data-reka-popper-content-wrapper]',
	...BESIDE.map((id) => `[data-test-id=${id}]`),
];

/** What the form of the example is filled in with: a number that nobody answers, an order, minutes. */
const ANSWERS = ['13800000001', '1042', 30];

/** How long the phone rings. */
const RINGING_MS = 3_000;

const BETWEEN_FRAMES_MS = 200;

/** How long what stands still is shown, in milliseconds. */
const SHOWN = { before: 1_500, after: 1_500, output: 4_000 };

const hasType = (type: string) => (node: WorkflowNode) => node.type.endsWith(`.${type}`);

/** The nodes that the film shows, in the language of the example. */
function findActors({ nodes }: WorkflowDefinition) {
	const [start] = nodes.filter(hasType('formTrigger'));
	const [call, sms] = nodes.filter(hasType('yuntongxun'));
	return { start, call, sms };
}

/** The example without its notes, with a form that is filled in already. */
function prepare(example: WorkflowDefinition): WorkflowDefinition {
	const { start } = findActors(example);
	const { values } = start.parameters.formFields as { values: Array<{ fieldLabel: string }> };
	const json = Object.fromEntries(values.map(({ fieldLabel }, at) => [fieldLabel, ANSWERS[at]]));
	return {
		...example,
		nodes: example.nodes.filter((node) => !hasType('stickyNote')(node)),
		pinData: { [start.name]: [{ json }] },
	};
}

/** Shows the canvas above n8n's logs, and nothing else. */
async function arrange({ page }: Editor): Promise<void> {
	await page.evaluate("localStorage.setItem('N8N_LOGS_SYNC_SELECTION_ENABLED', 'false')");
	await page.reload();
	await page.locator('.vue-flow__node').first().waitFor();
	await page.addStyleTag({ content: `${AROUND.join()} { visibility: hidden !important }` });
	await page.keyboard.press('Escape');
	await page.keyboard.press('l');
	await page.waitForTimeout(1_000);
	await page.keyboard.press('1');
	await page.waitForTimeout(1_000);
}

/** A call goes out, nobody answers, an SMS goes out; then what both nodes put out. */
async function play({ page }: Editor, names: string[]): Promise<Film> {
	const film = new Film(page, CLIP);
	await film.shoot(SHOWN.before);
	await page.getByTestId('execute-workflow-button').first().click();
	await page.mouse.move(0, 0);
	const logs = page.getByTestId('logs-overview-status');
	while (!(await logs.isVisible()) || !/^Success/.test(await logs.innerText())) {
		await film.shootWhile(async () => await page.waitForTimeout(BETWEEN_FRAMES_MS));
	}
	await page.waitForTimeout(500);
	await film.shoot(SHOWN.after);
	for (const name of names) {
		await page.getByTestId('logs-overview-body').getByText(name, { exact: true }).click();
		await page.mouse.move(0, 0);
		await page.waitForTimeout(1_000);
		await film.shoot(SHOWN.output);
	}
	return film;
}

async function take(studio: Studio): Promise<void> {
	const { n8n, simulator } = studio;
	simulator.configure({ callResultDelayMs: RINGING_MS });
	const workflow = await storeExample(
		studio,
		'call-and-wait-then-sms.json',
		(example) => ({ [findActors(example).sms.name]: { templateId: '100002' } }),
		prepare,
	);
	await n8n.rest.activate(workflow);
	const { call, sms } = findActors(workflow);
	await withWorkflow(studio, workflow, VIEW, async (editor) => {
		await arrange(editor);
		const film = await play(editor, [call.name, sms.name]);
		await film.write(getPath(studio, NAME, 'gif'));
	});
}

/** The moving picture of the README. */
export const CALL_THEN_SMS: Sitting = { name: NAME, take };

/**
 * Takes the pictures of the documents, in the newest n8n: `npm run pictures [-- name …]`. Needs Chromium, where
 * `CHROMIUM` says or at one of the usual places, and a Chinese font (Debian: `fonts-noto-cjk`). Look at each before you
 * commit it.
 */
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { Editor, startChromium } from '../test/harness/editor';
import { importExample, readExample } from '../test/harness/examples';
import type { WorkflowNode } from '../test/harness/n8nRest';
import { DEFAULT_LANGUAGE, packTarball } from '../test/harness/pack';
import { projectFolder } from '../test/harness/paths';
import { runCommand } from '../test/harness/processes';
import { CREDENTIAL_TYPE, startSetup, storeCredential, type Setup } from '../test/harness/setup';
import { newestSupported } from '../test/harness/versions';
import { node, ours, to } from '../test/harness/workflows';

/** An n8n with the package in one language, and the names that its pictures show. */
interface Studio extends Setup {
	readonly browser: Browser;
	readonly language: string;
	readonly names: (typeof NAMES)[string];
}

const NAMES: Record<string, Record<'credential' | 'start' | 'call' | 'refused', string>> = {
	[DEFAULT_LANGUAGE]: {
		credential: 'Yuntongxun',
		start: 'When Order Arrives',
		call: 'Call Customer',
		refused: 'Call Without Credit',
	},
	'zh-CN': {
		credential: '容联云',
		start: '订单到店时',
		call: '呼叫客户',
		refused: '余额不足时呼叫',
	},
};
const TRIGGER = 'Yuntongxun Trigger';
/** An address that the service can reach, which the README asks for. */
const ENVIRONMENT = { N8N_WEBHOOK_URL: 'https://n8n.example.com/' };
const CALL = { to: '13800000000', mediaTxt: '您好，您的订单 1042 已到店，请在 30 分钟内来取。' };
const CREDENTIAL = {
	accountSid: '8a216da85f5c89b1015f7a1b2c3d4e5f',
	authToken: 'x'.repeat(32),
	appId: '8a216da85f5c89b1015f7a1b2c3d4e60',
	baseUrl: 'https://app.cloopen.com:8883',
};
/** What the examples leave empty: without it the picture would show a warning on a node. */
const SAMPLES: Record<string, unknown> = {
	to: '13800000000',
	templateId: '100001',
	dataTableId: { __rl: true, mode: 'id', value: 'table' },
};

const FORM_HIDES =
	'.el-notification, [data-test-id=floating-nodes], [data-test-id=canvas-controls]';
const CANVAS_HIDES = `#header, #sidebar, .vue-flow__panel, [data-test-id="banner-stack"], .el-notification,
	[data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"], [class*="executionButtons"]`;
const MARGIN = 16;

async function open({ browser, n8n }: Studio, id: string, width: number, height: number) {
	const editor = await Editor.open(browser, n8n, { width, height });
	await editor.openWorkflow(id);
	return editor;
}

function getPath({ language }: Studio, folder: string, name: string): string {
	const file = language === DEFAULT_LANGUAGE ? `${name}.png` : `${name}.${language}.png`;
	console.log(file);
	return join(projectFolder, folder, 'images', file);
}

async function takePart(studio: Studio, part: Locator, name: string): Promise<void> {
	await part.page().waitForTimeout(1_000);
	const style = `${FORM_HIDES} { visibility: hidden }`;
	await part.screenshot({ path: getPath(studio, 'docs', name), animations: 'disabled', style });
}

/** Opens one of our nodes behind a manual trigger. */
async function openNode(studio: Studio, ours: WorkflowNode, height = 760): Promise<Editor> {
	const { start } = studio.names;
	const isTrigger = ours.name === TRIGGER;
	const { id } = await studio.n8n.rest.createWorkflow({
		name: ours.name,
		nodes: [...(isTrigger ? [] : [node(start, 'n8n-nodes-base.manualTrigger')]), ours],
		connections: isTrigger ? {} : { [start]: { main: [to(ours.name)] } },
	});
	const editor = await open(studio, id, 1280, height);
	await editor.openNode(ours.name);
	return editor;
}

const buildCall = (name: string, credential: Setup['credential']): WorkflowNode => ({
	...ours(name, credential, CALL),
	position: [260, 0],
});

async function takeTrigger(studio: Studio): Promise<void> {
	const { page, dialog } = await openNode(studio, {
		...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger'),
		credentials: { [CREDENTIAL_TYPE]: studio.credential },
		webhookId: '4f9c0000-0000-4000-8000-000000000001',
	});
	if (!(await page.locator('.webhook-url').isVisible())) {
		await page.getByText('Webhook URLs', { exact: true }).click();
	}
	await page.getByText('Production URL', { exact: true }).click();
	await takePart(studio, dialog, 'trigger');
}

async function takeRefused(studio: Studio): Promise<void> {
	const fault = studio.simulator.fail({ kind: 'statusCode', statusCode: '111142' });
	const editor = await openNode(studio, buildCall(studio.names.refused, studio.credential));
	await editor.execute();
	await takePart(studio, editor.dialog, 'refused');
	fault.remove();
}

async function takeOutput(studio: Studio): Promise<void> {
	const editor = await openNode(studio, buildCall(studio.names.call, studio.credential));
	await editor.execute();
	await editor.output.getByText('JSON', { exact: true }).click();
	await takePart(studio, editor.dialog, 'output');
}

async function takeCredential(studio: Studio): Promise<void> {
	const { credential: name, call } = studio.names;
	const id = await studio.n8n.rest.createCredential(CREDENTIAL_TYPE, name, CREDENTIAL);
	const editor = await openNode(studio, buildCall(call, { id, name }), 1000);
	// Nobody has this account, so n8n's test of it gets no answer.
	await editor.page.route('**/credentials/test', () => undefined);
	await editor.page.getByTestId('credential-edit-button').click();
	const form = editor.page.getByTestId('editCredential-modal');
	// A busy n8n shows the fields, of which there are more than four, later than their window.
	await form.locator('.n8n-input-label:visible').nth(4).waitFor();
	await takePart(studio, form, 'credential');
}

/** Takes a picture of the canvas alone. */
async function takeCanvas(page: Page, path: string): Promise<void> {
	await page.addStyleTag({ content: `${CANVAS_HIDES} { visibility: hidden !important }` });
	await page.keyboard.press('Escape');
	await page.keyboard.press('1');
	await page.waitForTimeout(2_000);
	const drawn = page.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path');
	const boxes = await drawn.evaluateAll((elements) =>
		elements
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width > 0 && height > 0)
			.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
	);
	const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)) - MARGIN);
	const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)) - MARGIN);
	const view = page.viewportSize() ?? { width: Infinity, height: Infinity };
	const right = Math.min(view.width, Math.max(...boxes.map((box) => box.right)) + MARGIN);
	const bottom = Math.min(view.height, Math.max(...boxes.map((box) => box.bottom)) + MARGIN);
	await page.screenshot({ path, clip: { x, y, width: right - x, height: bottom - y } });
}

async function takeExample(studio: Studio, name: string): Promise<void> {
	const example = await readExample(`${name}.json`);
	const isEmpty = (value: unknown) =>
		value === '' || (value as { value?: unknown } | undefined)?.value === '';
	const getSamples = (parameters: Record<string, unknown>) =>
		Object.fromEntries(Object.entries(SAMPLES).filter(([field]) => isEmpty(parameters[field])));
	const filled = example.nodes.map((one) => [one.name, getSamples(one.parameters)] as const);
	const stored = await importExample(studio, example, Object.fromEntries(filled));
	const { page } = await open(studio, stored.id, 1600, 1000);
	await takeCanvas(page, getPath(studio, 'examples', name));
}

type Takes = Record<string, (studio: Studio, name: string) => Promise<void>>;

const FORMS: Takes = {
	trigger: takeTrigger,
	refused: takeRefused,
	output: takeOutput,
	credential: takeCredential,
};
/** There is one set of examples, in English. */
const EXAMPLES: Takes = {
	'appointment-reminders-from-file': takeExample,
	'ask-by-sms-and-wait': takeExample,
};

async function takeAll(browser: Browser, language: string, chosen: string[]): Promise<void> {
	const names = NAMES[language];
	const tarball = await packTarball(language);
	const setup = await startSetup(newestSupported, { env: ENVIRONMENT, tarball });
	try {
		const credential = await storeCredential(setup, names.credential);
		const all = language === DEFAULT_LANGUAGE ? { ...FORMS, ...EXAMPLES } : FORMS;
		const wanted = Object.entries(all).filter(([name]) => !chosen.length || chosen.includes(name));
		for (const [name, take] of wanted) {
			await take({ ...setup, browser, language, names, credential }, name);
		}
	} finally {
		await setup.stop();
	}
}

async function main(chosen: string[]): Promise<void> {
	const fonts = await runCommand('fc-list', [':lang=zh']);
	if (fonts === '') throw new Error('There is no Chinese font');
	const browser = await startChromium();
	try {
		for (const language of Object.keys(NAMES)) await takeAll(browser, language, chosen);
	} finally {
		await browser.close();
	}
}

main(process.argv.slice(2)).catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});

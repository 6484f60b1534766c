/**
 * Takes the pictures of the README and of docs/, in the newest n8n: `npx tsx test/withCa.ts tsx tools/pictures/documentPictures.ts`. Needs
 * Chromium, where `CHROMIUM` says or at one of the usual places. Look at each before you commit it.
 */
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { installN8n } from '../../test/harness/installN8n';
import type { WorkflowNode } from '../../test/harness/n8nRest';
import { findTarball } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import { showProgress } from '../../test/harness/progress';
import { startN8n, type RunningN8n } from '../../test/harness/startN8n';
import { newestSupported } from '../../test/harness/versions';
import { takeCanvasPicture } from './canvasPicture';
import { readExample } from '../../test/harness/examples';
import { node, to } from '../../test/harness/workflows';
import { CREDENTIAL_TYPE, credentialData } from '../../test/harness/world';
import { startSimulator, type Simulator } from '../../simulator/index';
import { startChromium } from '../../test/harness/chromium';
import { Editor } from '../../test/harness/editor';

const FOLDER = join(projectFolder, 'docs/images');

const VIEW = { viewport: { width: 1280, height: 760 } };

/** The form of the credential is longer than that. */
const HIGH = { viewport: { width: 1280, height: 1000 } };

/** A flow fills the window, so its names need room beside it. */
const WIDE = { viewport: { width: 1600, height: 760 } };

/** What the README asks for: an address that the service can reach. */
const PUBLIC_ADDRESS = 'https://n8n.example.com/';

/** A flow that calls and goes on with the result. */
const FLOW = 'call-and-wait-then-sms.json';

const START = 'When Order Arrives';
const TRIGGER = 'Yuntongxun Trigger';
const CALL_FORM = {
	to: '13800000000',
	mediaTxt: '您好，您的订单 1042 已到店，请在 30 分钟内来取。',
};

const EXAMPLE_CREDENTIAL = {
	accountSid: '8a216da85f5c89b1015f7a1b2c3d4e5f',
	authToken: 'x'.repeat(32),
	appId: '8a216da85f5c89b1015f7a1b2c3d4e60',
	baseUrl: 'https://app.cloopen.com:8883',
};

async function take(of: Locator, name: string): Promise<void> {
	await of.page().waitForTimeout(1_000);
	await of.screenshot({
		path: join(FOLDER, `${name}.png`),
		animations: 'disabled',
		style:
			'.el-notification, [data-test-id=floating-nodes], [data-test-id=canvas-controls] { visibility: hidden }',
	});
	console.log(`${name}.png`);
}

/** What a picture is taken in. */
interface Studio {
	browser: Browser;
	n8n: RunningN8n;
	simulator: Simulator;
	credentials: WorkflowNode['credentials'];
}

async function takeTrigger({ browser, n8n, credentials }: Studio): Promise<void> {
	const { id } = await n8n.rest.createWorkflow({
		name: 'Call Results',
		nodes: [
			{
				...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger'),
				credentials,
				webhookId: '4f9c0000-0000-4000-8000-000000000001',
			},
		],
		connections: {},
	});
	const editor = await Editor.open(browser, n8n, VIEW);
	await editor.openWorkflow(id);
	await editor.openNode(TRIGGER);
	const urls = editor.page.getByText('Webhook URLs', { exact: true });
	if (!(await editor.page.locator('.webhook-url').isVisible())) await urls.click();
	await editor.page.getByText('Production URL', { exact: true }).click();
	await take(editor.dialog, 'trigger');
	await editor.close();
}

/** Executes a call in a workflow of its own. */
async function withCall(
	{ browser, n8n, credentials }: Studio,
	name: string,
	work: (editor: Editor) => Promise<void>,
): Promise<void> {
	const { id } = await n8n.rest.createWorkflow({
		name: 'Order Is Ready',
		nodes: [
			{ ...node(START, 'n8n-nodes-base.manualTrigger'), position: [0, 0] },
			{
				...node(name, 'n8n-nodes-yuntongxun.yuntongxun', CALL_FORM),
				credentials,
				position: [260, 0],
			},
		],
		connections: { [START]: { main: [to(name)] } },
	});
	const editor = await Editor.open(browser, n8n, VIEW);
	await editor.openWorkflow(id);
	await editor.openNode(name);
	await editor.execute();
	await work(editor);
	await editor.close();
}

async function takeCalls(studio: Studio): Promise<void> {
	const fault = studio.simulator.fail({ kind: 'statusCode', statusCode: '111142' });
	await withCall(studio, 'Call Without Credit', async (editor) => {
		await take(editor.dialog, 'refused');
	});
	fault.remove();
	await withCall(studio, 'Call Customer', async (editor) => {
		await editor.output.getByText('JSON', { exact: true }).click();
		await take(editor.dialog, 'output');
	});
}

async function takeCredential({ browser, n8n }: Studio): Promise<void> {
	const name = 'Yuntongxun';
	const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, name, EXAMPLE_CREDENTIAL);
	const call = node('Call Customer', 'n8n-nodes-yuntongxun.yuntongxun', CALL_FORM);
	const { id: workflow } = await n8n.rest.createWorkflow({
		name: 'Order Is Ready',
		nodes: [{ ...call, credentials: { [CREDENTIAL_TYPE]: { id, name } } }],
		connections: {},
	});
	const editor = await Editor.open(browser, n8n, HIGH);
	// Nobody has this account, so n8n's test of it gets no answer.
	await editor.page.route('**/credentials/test', () => undefined);
	await editor.openWorkflow(workflow);
	await editor.openNode('Call Customer');
	await editor.openCredential();
	await take(editor.credential, 'credential');
	await editor.close();
}

async function takeFlow({ browser, n8n, credentials }: Studio): Promise<void> {
	const flow = await readExample(FLOW);
	const nodes = flow.nodes
		.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote')
		.map((each) => (each.type.includes('yuntongxun') ? { ...each, credentials } : each))
		.map((each) =>
			'templateId' in each.parameters
				? { ...each, parameters: { ...each.parameters, templateId: '100002' } }
				: each,
		);
	const { id } = await n8n.rest.createWorkflow({ ...flow, nodes });
	const editor = await Editor.open(browser, n8n, WIDE);
	const path = join(FOLDER, 'call-and-go-on.png');
	await takeCanvasPicture(editor.page, `${n8n.url}/workflow/${id}`, path, 24);
	console.log('call-and-go-on.png');
	await editor.close();
}

async function main(): Promise<void> {
	const installed = await installN8n(newestSupported, showProgress(process.stdout));
	const simulator = await startSimulator();
	const tarball = await findTarball();
	const browser = await startChromium();
	const inN8n = async (env: Record<string, string>, work: (studio: Studio) => Promise<void>) => {
		const n8n = await startN8n({ n8n: installed, tarball, caFile: simulator.caFile, env });
		try {
			const name = 'Yuntongxun';
			const data = credentialData(simulator);
			const id = await n8n.rest.createCredential(CREDENTIAL_TYPE, name, data);
			await work({ browser, n8n, simulator, credentials: { [CREDENTIAL_TYPE]: { id, name } } });
		} finally {
			await n8n.stop();
		}
	};
	try {
		await inN8n({ WEBHOOK_URL: PUBLIC_ADDRESS }, takeTrigger);
		await inN8n({}, async (studio) => {
			await takeCalls(studio);
			await takeCredential(studio);
			await takeFlow(studio);
		});
	} finally {
		await browser.close();
		await simulator.stop();
	}
}

main().catch((error: Error) => {
	console.error(error);
	process.exitCode = 1;
});

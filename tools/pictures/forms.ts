import type { Editor } from '../../test/harness/editor';
import { node, to } from '../../test/harness/workflows';
import { CREDENTIAL_TYPE } from '../../test/harness/world';
import { isEnglish, takePart, withWorkflow, type Sitting, type Studio } from './studio';

const VIEW = { width: 1280, height: 760 };

/** The form of the credential is longer than that. */
const HIGH = { width: 1280, height: 1000 };

/** What the README asks for: an address that the service can reach. */
const PUBLIC_ADDRESS = 'https://n8n.example.com/';

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

const ENGLISH = {
	workflow: 'Order Is Ready',
	start: 'When Order Arrives',
	call: 'Call Customer',
	refused: 'Call Without Credit',
};

const CHINESE: typeof ENGLISH = {
	workflow: '订单到店',
	start: '订单到店时',
	call: '呼叫客户',
	refused: '余额不足时呼叫',
};

const getNames = (studio: Studio) => (isEnglish(studio) ? ENGLISH : CHINESE);

async function takeTrigger(studio: Studio): Promise<void> {
	const trigger = {
		...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger'),
		credentials: { [CREDENTIAL_TYPE]: studio.credential },
		webhookId: '4f9c0000-0000-4000-8000-000000000001',
	};
	const workflow = await studio.n8n.rest.createWorkflow({
		name: getNames(studio).workflow,
		nodes: [trigger],
		connections: {},
	});
	await withWorkflow(studio, workflow, VIEW, async (editor) => {
		await editor.openNode(TRIGGER);
		const urls = editor.page.getByText('Webhook URLs', { exact: true });
		if (!(await editor.page.locator('.webhook-url').isVisible())) await urls.click();
		await editor.page.getByText('Production URL', { exact: true }).click();
		await takePart(studio, editor.dialog, 'trigger');
	});
}

/** Opens a call in a workflow of its own. */
async function withCall(
	studio: Studio,
	name: string,
	credential: Studio['credential'],
	viewport: typeof VIEW,
	work: (editor: Editor) => Promise<void>,
): Promise<void> {
	const { start, workflow } = getNames(studio);
	const call = {
		...node(name, 'n8n-nodes-yuntongxun.yuntongxun', CALL_FORM),
		credentials: { [CREDENTIAL_TYPE]: credential },
		position: [260, 0] as [number, number],
	};
	const stored = await studio.n8n.rest.createWorkflow({
		name: workflow,
		nodes: [node(start, 'n8n-nodes-base.manualTrigger'), call],
		connections: { [start]: { main: [to(name)] } },
	});
	await withWorkflow(studio, stored, viewport, async (editor) => {
		await editor.openNode(name);
		await work(editor);
	});
}

async function takeRefused(studio: Studio): Promise<void> {
	const fault = studio.simulator.fail({ kind: 'statusCode', statusCode: '111142' });
	await withCall(studio, getNames(studio).refused, studio.credential, VIEW, async (editor) => {
		await editor.execute();
		await takePart(studio, editor.dialog, 'refused');
	});
	fault.remove();
}

async function takeOutput(studio: Studio): Promise<void> {
	await withCall(studio, getNames(studio).call, studio.credential, VIEW, async (editor) => {
		await editor.execute();
		await editor.output.getByText('JSON', { exact: true }).click();
		await takePart(studio, editor.dialog, 'output');
	});
}

async function takeCredential(studio: Studio): Promise<void> {
	const { name } = studio.credential;
	const id = await studio.n8n.rest.createCredential(CREDENTIAL_TYPE, name, EXAMPLE_CREDENTIAL);
	await withCall(studio, getNames(studio).call, { id, name }, HIGH, async (editor) => {
		// Nobody has this account, so n8n's test of it gets no answer.
		await editor.page.route('**/credentials/test', () => undefined);
		await editor.openCredential();
		await takePart(studio, editor.credential, 'credential');
	});
}

/** The forms of the nodes and of the credential, as `docs/` show them. */
export const FORMS: Sitting[] = [
	{ name: 'trigger', env: { WEBHOOK_URL: PUBLIC_ADDRESS }, take: takeTrigger },
	{ name: 'refused', take: takeRefused },
	{ name: 'output', take: takeOutput },
	{ name: 'credential', take: takeCredential },
];

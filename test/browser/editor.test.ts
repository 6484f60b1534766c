import type { Browser } from 'playwright-core';
import { Editor, startChromium } from '../harness/editor';
import type { WorkflowNode } from '../harness/n8nRest';
import { packTarball } from '../harness/pack';
import {
	describeOnEachN8n,
	START_LIMIT_MS,
	startSetup,
	storeCredential,
	versionsToTest,
	type Setup,
	type Stoppable,
} from '../harness/setup';
import { until } from '../harness/until';
import { newestSupported } from '../harness/versions';
import { chain, manual, node, ours, resultTrigger, START, to } from '../harness/workflows';

const ACTION = 'Yuntongxun';
const TOOL = 'Yuntongxun Tool';
const CALL = { to: '13800000000', mediaTxt: 'Your order 42 is ready to be picked up.' };
const SMS = { resource: 'sms', operation: 'send' };

describeOnEachN8n("n8n's editor", (setup, version) => {
	let browser: Browser;
	let editor: Editor;

	beforeAll(async () => {
		browser = await startChromium();
		editor = await Editor.open(browser, setup().n8n);
		const { credential } = setup();
		const changes = { authToken: 'x'.repeat(32) };
		const other = await storeCredential(setup(), 'A token of somebody else', changes);
		const actions: WorkflowNode[] = [
			ours(ACTION, credential, {}),
			ours('Call the Customer', credential, CALL),
			ours('Call Without Credit', credential, CALL),
			ours('Text by Template', credential, SMS),
			ours('Template of Nobody', other, SMS),
			{ ...ours(TOOL, credential, CALL), type: 'n8n-nodes-yuntongxun.yuntongxunTool' },
		];
		const { id } = await setup().n8n.rest.createWorkflow({
			name: 'Order Is Ready',
			nodes: [
				manual(),
				...actions.map((each, at): WorkflowNode => ({ ...each, position: [260, at * 220] })),
				{ ...resultTrigger(credential), position: [0, 220] },
			],
			connections: { [START]: { main: [actions.flatMap(({ name }) => to(name))] } },
		});
		await editor.openWorkflow(id);
	}, 120_000);

	afterAll(async () => {
		await editor?.close();
		await browser?.close();
	});

	/** Checks what the editor shows, once it has had time to draw it. */
	async function shows(read: () => Promise<string[]>, wanted: string[]): Promise<void> {
		const isDrawn = async () => JSON.stringify(await read()) === JSON.stringify(wanted);
		const isSo = async () => (await isDrawn()) || undefined;
		await until('the editor to draw', isSo).catch(() => undefined);
		expect(await read()).toEqual(wanted);
	}
	const labels = async () => await editor.labels();

	test.each(['Yuntongxun', '语音验证码'])('finds the nodes for "%s"', async (words) => {
		expect(await editor.search(words)).toContain(ACTION);
	});

	test('describes both nodes, lists the actions, and the triggers as notices and documents name them', async () => {
		await editor.search('Yuntongxun');
		// n8n 1 lists nothing but names.
		if (!version.startsWith('1.')) {
			const words = await editor.panel.innerText();
			expect(words).toMatch(/Make calls, send SMS and react to call results/);
		}
		await editor.panel.getByText(ACTION, { exact: true }).first().click();
		await until('the actions', async () =>
			(await editor.listed()).includes('Send an SMS') ? true : undefined,
		);
		await editor.panel.getByText(/^Triggers/).click();
		await shows(
			async () => (await editor.listed()).filter((name) => name.startsWith('On ')),
			[
				'On voice notification call ended',
				'On voice verification call ended',
				'On SMS delivery report',
				'On SMS reply',
				'On other notification',
			],
		);
	});

	describe('the form of the action node', () => {
		beforeAll(async () => await editor.openNode(ACTION));

		// Which field which form has, and when it shows it, is docs/maintainers/forms.tsv.
		test('shows what belongs to the choices made, marks what is missing, and adds an option', async () => {
			await editor.choose('resource', 'Account');
			await shows(labels, ['Simplify']);
			await editor.choose('resource', 'Call');
			await editor.choose('operation', 'Make (Voice Notification)');
			await editor.choose('content', 'Text, Then Audio Files');
			await editor.choose('resultDelivery', 'Wait for Result');
			const shown = [
				...['To', 'Content', 'Text to Speak', 'Audio Files', 'Audio Source'],
				...['When the Call Ends', 'Max Wait Time (Minutes)', 'App ID'],
			];
			await shows(labels, shown);
			await shows(async () => await editor.missing(), ['To', 'Text to Speak', 'Audio Files']);
			expect(await editor.openOptions()).toEqual([
				...['Allowed Recipients', 'Background Sound', 'Caller ID', 'Custom Data', 'Dry Run'],
				...['Limits', 'Max Requests per Second', 'Play Count'],
				...['Rehearsed Outcome', 'Request Timeout', 'Send Once per ID'],
				...['Speech Pitch', 'Speech Speed', 'Speech Volume'],
			]);
			await editor.addOption('Background Sound');
			await shows(labels, [...shown, 'Background Sound']);
			await editor.choose('txtBgsound', 'Platform Sound 3');
		});
	});

	test("tells in the form of an agent's tool how to limit it, and nowhere else", async () => {
		await editor.openNode(TOOL);
		const words = editor.form.getByText(/Add Allowed Recipients and Limits/);
		await words.waitFor();
		await editor.openNode('Call the Customer');
		expect(await words.count()).toBe(0);
	});

	test('lists the approved templates with their texts, and keeps the text in the field', async () => {
		await editor.openNode('Text by Template');
		const names = editor.page.getByTestId('rlc-item');
		await editor.page.getByTestId('rlc-input').click();
		await names.first().waitFor();
		expect(await names.count()).toBe(4);
		await editor.page.getByTestId('rlc-search').fill('分钟');
		await until('the list to be filtered', async () => (await names.count()) === 2 || undefined);
		await names.last().click();
		expect(await editor.page.getByTestId('rlc-input').inputValue()).toBe(
			'Verification code (100002): 您的验证码是{1}，{2}分钟内有效。',
		);
	});

	test('says why there is no list of templates, and what to do instead', async () => {
		await editor.openNode('Template of Nobody');
		await editor.page.getByTestId('rlc-input').click();
		const error = editor.page.getByTestId('rlc-error-container');
		await error.waitFor();
		const text = await error.innerText();
		expect(text).toContain('The account token does not match');
		expect(text).toContain('Choose By ID, and enter the number of the template.');
		await editor.page.keyboard.press('Escape');
	});

	test('offers the fields of a result to the next node before any call', async () => {
		const { n8n, credential } = setup();
		const call = ours('Call', credential, { ...CALL, resultDelivery: 'wait' });
		const behind = node('Behind It', 'n8n-nodes-base.set', {}, 3.4);
		const nodes = [manual(), call, behind];
		const spread = nodes.map((each, at): WorkflowNode => ({ ...each, position: [at * 260, 0] }));
		const { id } = await n8n.rest.createWorkflow(chain('Nobody Was Called', ...spread));
		const another = await Editor.open(browser, n8n);
		try {
			await another.openWorkflow(id);
			await another.openNode('Behind It');
			await until('the fields', async () =>
				/answered[^]*durationSeconds/.test(await another.dialog.innerText()) ? true : undefined,
			);
		} finally {
			await another.close();
		}
	});

	test('shows what happened and what to do when the service refused', async () => {
		setup().simulator.fail({ kind: 'statusCode', statusCode: '111142' });
		await editor.openNode('Call Without Credit');
		expect(await editor.execute()).toBe('danger');
		const message = await editor.page.getByTestId('node-error-message').innerText();
		expect(message).toMatch(
			/^The account, or a channel .* has no credit left \(code 111142\) \[item 0\]/,
		);
		expect(await editor.output.innerText()).toMatch(/Top up .* Yuntongxun says: /);
	});
});

// That each text has a translation: test/project/translations.test.ts; that each form is translated:
// test/unit/language/chinese.test.ts.
describe('The Chinese build', () => {
	let setup: Setup & Stoppable;
	let browser: Browser;

	beforeAll(async () => {
		const [version] = versionsToTest([newestSupported]);
		setup = await startSetup(version, { tarball: await packTarball('zh-CN') });
		browser = await startChromium();
	}, START_LIMIT_MS);
	afterAll(async () => {
		await browser?.close();
		await setup?.stop();
	});

	test('refuses a wrong number in Chinese, with the label that the form shows', async () => {
		const { n8n, credential } = setup;
		const wrong = ours('Wrong Number', credential, { to: '1380000000', mediaTxt: '您好' });
		const { id } = await n8n.rest.createWorkflow(chain('中文界面', manual(), wrong));
		const editor = await Editor.open(browser, n8n);
		await editor.openWorkflow(id);
		await editor.openNode('Wrong Number');
		const labels = await editor.labels();
		expect(labels).toContain('接收号码 (To)');
		expect(labels.filter((label) => !/\p{Script=Han}/u.test(label))).toEqual([]);
		expect(await editor.execute()).toBe('danger');
		const message = await editor.page.getByTestId('node-error-message').innerText();
		expect(message).toContain('“接收号码 (To)”不是本节点能用的号码');
	});
});

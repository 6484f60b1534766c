import type { Browser } from 'playwright-core';
import type { WorkflowDefinition, WorkflowNode } from '../harness/n8nRest';
import { until } from '../harness/until';
import { node, to } from '../harness/workflows';
import {
	CREDENTIAL_TYPE,
	describeOnEachN8n,
	storeCredential,
	type StoredCredential,
} from '../harness/world';
import { startChromium } from '../harness/chromium';
import { Editor } from '../harness/editor';
import { FORMS, type Form } from '../../tools/documents/forms';

const START = 'Start Here';
const ACTION = 'Yuntongxun';
const TRIGGER = 'Yuntongxun Trigger';
const TOOL = 'Yuntongxun Tool';
const WEBHOOK = '4f9c0000-0000-4000-8000-000000000001';
const DRAW_LIMIT_MS = 20_000;
const CALL = { to: '13800000000', mediaTxt: 'Your order 42 is ready to be picked up.' };

describeOnEachN8n("n8n's editor", (world, version) => {
	let browser: Browser;
	let editor: Editor;

	beforeAll(async () => {
		browser = await startChromium();
		editor = await Editor.open(browser, world().n8n);
	}, 120_000);

	afterAll(async () => {
		await editor?.close();
		await browser?.close();
	});

	beforeAll(async () => {
		const { rest } = world().n8n;
		const changes = { authToken: 'x'.repeat(32) };
		const other = await storeCredential(world(), 'A token of somebody else', changes);
		const workflow = await rest.createWorkflow(
			buildWorkflow(world().credential, [
				action(ACTION, {}),
				action('Call the Customer', CALL),
				action('Call Without Credit', CALL),
				action('Text by Template', { resource: 'sms', operation: 'send' }),
				action('Template of Nobody', { resource: 'sms', operation: 'send' }, other),
				{ ...action(TOOL, CALL), type: 'n8n-nodes-yuntongxun.yuntongxunTool' },
			]),
		);
		await editor.openWorkflow(workflow.id);
	}, 120_000);

	function action(
		name: string,
		parameters: Record<string, unknown>,
		credential: StoredCredential = world().credential,
	): WorkflowNode {
		return {
			...node(name, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
			credentials: { [CREDENTIAL_TYPE]: credential },
		};
	}

	describe('the nodes panel', () => {
		test.each(['Yuntongxun', '语音验证码'])('finds the nodes for "%s"', async (words) => {
			expect(await editor.search(words)).toContain(ACTION);
		});

		// n8n 1 lists nothing but names.
		(version.startsWith('1.') ? test.skip : test)('describes both nodes', async () => {
			await editor.search('Yuntongxun');
			expect(await editor.panel.innerText()).toMatch(
				/Make calls, send SMS and react to call results/,
			);
		});

		test('lists the actions, and the triggers as notices and documents name them', async () => {
			await editor.search('Yuntongxun');
			await editor.panel.getByText(ACTION, { exact: true }).first().click();
			await until('the actions', async () =>
				(await editor.listed()).includes('Send an SMS') ? true : undefined,
			);
			await editor.panel.getByText(/^Triggers/).click();
			await until('the triggers', async () =>
				(await editor.listed()).some((name) => name.startsWith('On ')) ? true : undefined,
			);
			expect((await editor.listed()).filter((name) => name.startsWith('On '))).toEqual([
				'On voice notification call ended',
				'On voice verification call ended',
				'On SMS delivery report',
				'On SMS reply',
				'On other notification',
			]);
		});
	});

	/** Checks what the editor shows, once it has had time to draw it. */
	async function shows(read: () => Promise<string[]>, wanted: string[]): Promise<void> {
		const isDrawn = async () => JSON.stringify(await read()) === JSON.stringify(wanted);
		await until('the editor to draw', async () => (await isDrawn()) || undefined, {
			timeoutMs: DRAW_LIMIT_MS,
		}).catch(() => undefined);
		expect(await read()).toEqual(wanted);
	}
	const showsLabels = async (wanted: string[]) =>
		await shows(async () => await editor.labels(), wanted);

	describe('the form of the action node', () => {
		beforeAll(async () => {
			await editor.openNode(ACTION);
		});

		/** Makes one choice after the other, as a user does: fields and the names of their choices. */
		async function choose(...chosen: Array<[field: string, choice: string]>): Promise<void> {
			for (const [field, choice] of chosen) await editor.choose(field, choice);
		}
		const chooseForm = async ({ resource, operation }: Form) =>
			await choose(['resource', resource], ['operation', operation]);

		/** What is shown for whatever else is chosen. What is shown when: docs/maintainers/forms.tsv. */
		const findAlwaysShown = ({ fields }: Form) =>
			fields
				.filter(({ displayOptions: { show = {} } = {} }) => Object.keys(show).length === 2)
				.map(({ displayName }) => displayName);

		test.each(FORMS)(
			'$resource: $operation: shows its fields, and cuts off no label',
			async (form) => {
				await chooseForm(form);
				const wanted = findAlwaysShown(form);
				const shows = async () =>
					(await editor.labels()).filter((label) => wanted.includes(label)).join() ===
						wanted.join() || undefined;
				await until('the editor to draw', shows, { timeoutMs: DRAW_LIMIT_MS });
				expect(await editor.cutOff()).toEqual([]);
			},
		);

		test('shows what belongs to the choices made, marks what is missing, and adds an option', async () => {
			await choose(
				['resource', 'Call'],
				['operation', 'Make (Voice Notification)'],
				['content', 'Text, Then Audio Files'],
				['resultDelivery', 'Wait for Result'],
			);
			const labels = [
				...['To', 'Content', 'Text to Speak', 'Audio Files', 'Audio Source'],
				...['When the Call Ends', 'Max Wait Time (Minutes)', 'App ID'],
			];
			await showsLabels(labels);
			await shows(async () => await editor.missing(), ['To', 'Text to Speak', 'Audio Files']);
			expect(await editor.options()).toEqual([
				...['Allowed Recipients', 'Background Sound', 'Caller ID', 'Custom Data', 'Dry Run'],
				...['Limits', 'Max Requests per Second', 'Play Count'],
				...['Rehearsed Outcome', 'Request Timeout', 'Send Once per ID'],
				...['Speech Pitch', 'Speech Speed', 'Speech Volume'],
			]);
			await editor.addOption('Background Sound');
			await showsLabels([...labels, 'Background Sound']);
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

	test('offers the fields of a result to the next node before any call', async () => {
		const { n8n, simulator } = world();
		const before = simulator.accepted().length;
		const { id } = await n8n.rest.createWorkflow({
			name: 'Nobody Was Called',
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger'),
				{ ...action('Call', { ...CALL, resultDelivery: 'wait' }), position: [260, 0] },
				{ ...node('Behind It', 'n8n-nodes-base.set'), typeVersion: 3.4, position: [520, 0] },
			],
			connections: { [START]: { main: [to('Call')] }, Call: { main: [to('Behind It')] } },
		});
		const another = await Editor.open(browser, n8n);
		try {
			await another.openWorkflow(id);
			await another.openNode('Behind It');
			await until('the fields', async () =>
				/answered[^]*durationSeconds/.test(await another.dialog.innerText()) ? true : undefined,
			);
			expect(simulator.accepted()).toHaveLength(before);
		} finally {
			await another.close();
		}
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

	test('shows both addresses in the panel of the trigger', async () => {
		await editor.openNode(TRIGGER);
		const address = editor.page.locator('.webhook-url');
		if (!(await address.isVisible()))
			await editor.page.getByText('Webhook URLs', { exact: true }).click();
		for (const [tab, path] of [
			['Test URL', 'webhook-test'],
			['Production URL', 'webhook'],
		]) {
			await editor.page.getByText(tab, { exact: true }).click();
			const url = `${world().n8n.url}/${path}/${WEBHOOK}/yuntongxun`;
			await until(
				`the ${tab}`,
				async () => (await address.innerText()).trim() === url || undefined,
			);
		}
		await showsLabels(['Events']);
	});

	describe('executing', () => {
		test('shows what happened and what to do when the service refused', async () => {
			world().simulator.fail({ kind: 'statusCode', statusCode: '111142' });
			await editor.openNode('Call Without Credit');
			expect(await editor.execute()).toBe('danger');
			const message = await editor.page.getByTestId('node-error-message').innerText();
			expect(message).toMatch(/^The balance of the account is too low \(code 111142\) \[item 0\]/);
			expect(await editor.output.innerText()).toMatch(/Top up .* Yuntongxun says: /);
		});
	});
});

/** What calls a customer, and the trigger that hears of the result. */
function buildWorkflow(credential: StoredCredential, actions: WorkflowNode[]): WorkflowDefinition {
	return {
		name: 'Order Is Ready',
		nodes: [
			{ ...node(START, 'n8n-nodes-base.manualTrigger'), position: [0, 0] },
			...actions.map((each, index): WorkflowNode => ({ ...each, position: [260, index * 220] })),
			{
				...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger'),
				credentials: { [CREDENTIAL_TYPE]: credential },
				position: [0, 220],
				webhookId: WEBHOOK,
			},
		],
		connections: { [START]: { main: [actions.flatMap(({ name }) => to(name))] } },
	};
}

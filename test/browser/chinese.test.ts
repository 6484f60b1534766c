import type { Browser } from 'playwright-core';

import { startChromium } from '../harness/chromium';
import { Editor } from '../harness/editor';
import { packTarball } from '../harness/pack';
import { newestSupported } from '../harness/versions';
import { node, START, to } from '../harness/workflows';
import { CREDENTIAL_TYPE, openWorld, versionsToTest, type World } from '../harness/world';
import { ALL_OF_A_CALL } from './support/drawnForms';

/**
 * What the vendor's console calls by these names as well, in any language, a field of n8n's own, and
 * the label by which n8n's panel finds the triggers of a package.
 */
const LATIN = [
	...['Account SID', 'Auth Token', 'Rest URL (Base URL)', 'Allowed HTTP Request Domains'],
	'Events',
];

const isChinese = (label: string) => /\p{Script=Han}/u.test(label);
/** The numbered variables of a template, and what the console calls so, need no translation. */
const needsChinese = (label: string) => !/^\{\d+\}$/.test(label) && !LATIN.includes(label);

const [version] = versionsToTest([newestSupported]);

describe(`The Chinese build in the editor of n8n ${version}`, () => {
	let world: World;
	let browser: Browser;
	let editor: Editor;
	const CALL = 'Call';
	const WRONG = 'Wrong Number';
	const TRIGGER = 'The Trigger';

	beforeAll(async () => {
		world = await openWorld(version, {}, await packTarball('zh-CN'));
		browser = await startChromium();
		editor = await Editor.open(browser, world.n8n);
		const credentials = { [CREDENTIAL_TYPE]: world.credential };
		const actions = [
			{ name: CALL, parameters: ALL_OF_A_CALL },
			{ name: WRONG, parameters: { to: '1380000000', mediaTxt: '您好' } },
		];
		const workflow = await world.n8n.rest.createWorkflow({
			name: '中文界面',
			nodes: [
				{ ...node(START, 'n8n-nodes-base.manualTrigger'), position: [0, 0] },
				{
					...node(TRIGGER, 'n8n-nodes-yuntongxun.yuntongxunTrigger'),
					credentials,
					position: [0, 220],
				},
				...actions.map(({ name, parameters }, at) => ({
					...node(name, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
					credentials,
					position: [260 + 220 * Math.floor(at / 6), 180 * (at % 6)] as [number, number],
				})),
			],
			connections: { [START]: { main: [to(WRONG)] } },
		});
		await editor.openWorkflow(workflow.id);
	}, 20 * 60_000);

	afterAll(async () => {
		await editor?.close();
		await browser?.close();
		await world?.n8n.stop();
		await world?.simulator.stop();
	});

	const foreign = (labels: string[]) =>
		labels.filter(needsChinese).filter((each) => !isChinese(each));

	// That each text has a translation: test/package/translations.test.ts.
	test('a form has no English label, nor have its options', async () => {
		await editor.openNode(CALL);
		const labels = await editor.labels();
		const options = await editor.options();
		expect([labels.length > 0, options.length > 5]).toEqual([true, true]);
		expect(foreign([...labels, ...options])).toEqual([]);
	});

	test('the trigger has no English label', async () => {
		await editor.openNode(TRIGGER);
		const labels = await editor.labels();
		expect(labels).toContain('Events');
		expect(foreign([...labels, ...(await editor.options())])).toEqual([]);
	});

	test('a wrong number is refused in Chinese, with the label that the form shows', async () => {
		await editor.openNode(WRONG);
		expect(await editor.execute()).toBe('danger');
		const message = await editor.page.getByTestId('node-error-message').innerText();
		expect(message).toMatch(/接收号码/);
		expect(foreign([message.replace(/ \[item 0\].*/s, '')])).toEqual([]);
	});

	test('the credential has no English label but those of the console', async () => {
		await editor.openNode(CALL);
		await editor.openCredential();
		const labels = await editor.credential.locator('.n8n-input-label:visible').allInnerTexts();
		expect(labels.length).toBeGreaterThan(4);
		// Below each label n8n writes how to fill the field in.
		const names = labels.map((label) => label.split('\n')[0].replace(/ \*$/, '').trim());
		expect(foreign(names)).toEqual([]);
		await editor.closeCredential();
	});
});

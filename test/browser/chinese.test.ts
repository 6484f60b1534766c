import type { Browser } from 'playwright-core';

import { startChromium } from '../harness/chromium';
import { Editor } from '../harness/editor';
import { packTarball } from '../harness/pack';
import { newestSupported } from '../harness/versions';
import { node, START, to } from '../harness/workflows';
import { CREDENTIAL_TYPE, openWorld, versionsToTest, type World } from '../harness/world';

const [version] = versionsToTest([newestSupported]);

// That each text has a translation: test/project/translations.test.ts; that each form is translated:
// test/unit/language/chinese.test.ts.
describe(`The Chinese build in the editor of n8n ${version}`, () => {
	let world: World;
	let browser: Browser;
	let editor: Editor;
	const WRONG = 'Wrong Number';

	beforeAll(async () => {
		world = await openWorld(version, { tarball: await packTarball('zh-CN') });
		browser = await startChromium();
		editor = await Editor.open(browser, world.n8n);
		const parameters = { to: '1380000000', mediaTxt: '您好' };
		const workflow = await world.n8n.rest.createWorkflow({
			name: '中文界面',
			nodes: [
				node(START, 'n8n-nodes-base.manualTrigger'),
				{
					...node(WRONG, 'n8n-nodes-yuntongxun.yuntongxun', parameters),
					credentials: { [CREDENTIAL_TYPE]: world.credential },
				},
			],
			connections: { [START]: { main: [to(WRONG)] } },
		});
		await editor.openWorkflow(workflow.id);
	}, 20 * 60_000);

	afterAll(async () => {
		await editor?.close();
		await browser?.close();
		await world?.stop();
	});

	test('a wrong number is refused in Chinese, with the label that the form shows', async () => {
		await editor.openNode(WRONG);
		const labels = await editor.labels();
		expect(labels).toContain('接收号码 (To)');
		expect(labels.filter((label) => !/\p{Script=Han}/u.test(label))).toEqual([]);
		expect(await editor.execute()).toBe('danger');
		const message = await editor.page.getByTestId('node-error-message').innerText();
		expect(message).toContain('“接收号码 (To)”不是本节点能用的号码');
	});
});

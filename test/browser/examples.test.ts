import type { Browser } from 'playwright-core';
import type { WorkflowDefinition } from '../harness/n8nRest';
import { until } from '../harness/until';
import { importFilledIn, readExample } from '../harness/examples';
import { describeOnEachN8n } from '../harness/world';
import { startChromium } from '../harness/chromium';
import { Editor } from '../harness/editor';

/** Needs a node that n8n 1 does not have. */
const AGENT = 'ai-agent-with-approval.json';

/** One of each kind of choice; that the note of each names its start: test/unit/exampleFiles.test.ts. */
const FILES = [
	'call-and-wait-then-sms.json', // a form alone
	'order-shipped-sms.json', // a form and a webhook
	'sms-reports-and-replies.json', // a form and our trigger
	'on-call-kit.json', // a form and the start of a sub-workflow
	AGENT, // a chat
];

/** The start that the note of an example names, in bold. */
function startIn({ nodes }: WorkflowDefinition): string {
	const note = nodes.find(({ type }) => type.endsWith('stickyNote'));
	const [, start] = /^Start: \*\*([^*]+)\*\*/m.exec(String(note?.parameters.content)) ?? [];
	if (start === undefined) throw new Error('The note names no start');
	return start;
}

describeOnEachN8n("The examples in n8n's editor", (world, version) => {
	const isFirstGeneration = version.startsWith('1.');
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

	test.each(FILES.filter((file) => !(isFirstGeneration && file === AGENT)))(
		'%s: the button runs the start that the note names',
		async (file) => {
			const { n8n, credential } = world();
			const example = await readExample(file);
			const { id } = await importFilledIn(n8n.rest, credential, example, {});
			await editor.openWorkflow(id);
			const start = startIn(example);
			// A chat has a button of its own, and one trigger needs no name on its button.
			const wanted =
				file === AGENT
					? /^Open chat/
					: new RegExp(`^(?:Execute|Test) workflow(?:\\s+from ${start})?$`);
			await until('the button', async () => wanted.test(await editor.runButton()) || undefined);
			const triggers = example.nodes.filter(({ type }) => /(?:[tT]rigger|\.webhook)$/.test(type));
			if (triggers.length > 1) expect(await editor.runButton()).toContain(start);
		},
	);

	test('an example pasted twice listens at two addresses', async () => {
		const pasted = async () => {
			await editor.pasteAsNewWorkflow(
				JSON.stringify(await readExample('sms-reports-and-replies.json')),
			);
			const id = await editor.save();
			// n8n 2 names a new workflow in its address before it is stored.
			const { nodes } = await until('the stored workflow', async () => {
				return await world()
					.n8n.rest.workflow(id)
					.catch(() => undefined);
			});
			return nodes.flatMap(({ webhookId, type }) =>
				/(?:[tT]rigger|\.webhook)$/.test(type) ? [webhookId] : [],
			);
		};
		const ids = [...(await pasted()), ...(await pasted())];
		expect(ids).toHaveLength(4);
		expect(ids).not.toContain(undefined);
		expect(new Set(ids).size).toBe(4);
	});
});

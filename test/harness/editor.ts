import {
	selectors,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';
import { demoLogin, type RunningN8n } from './startN8n';
import { until } from './until';

// n8n marks what its own tests look for.
selectors.setTestIdAttribute('data-test-id');

export interface EditorOptions {
	/** Size of the window in pixels. */
	viewport?: { width: number; height: number };
}

/** What n8n's editor takes to load on a busy machine. */
const LOAD_LIMIT_MS = 60_000;

const STEP_LIMIT_MS = 20_000;

/** Labels above and around the fields of the node. */
const AROUND = new Set([
	'Credential',
	'Credential to connect with',
	'Resource',
	'Operation',
	'Options',
]);

/** n8n's editor in a browser, used as a person would: by what is written there. */
export class Editor {
	private constructor(
		private readonly context: BrowserContext,
		readonly page: Page,
		private readonly url: string,
	) {}

	/** Opens a browser window and logs in as the owner of that n8n. */
	static async open(
		browser: Browser,
		{ url }: Pick<RunningN8n, 'url'>,
		{ viewport = { width: 1400, height: 900 } }: EditorOptions = {},
	): Promise<Editor> {
		const context = await browser.newContext({ viewport });
		context.setDefaultTimeout(STEP_LIMIT_MS);
		context.setDefaultNavigationTimeout(LOAD_LIMIT_MS);
		const { email, password } = demoLogin;
		const login = await context.request.post(`${url}/rest/login`, {
			data: { emailOrLdapLoginId: email, password },
		});
		if (!login.ok()) throw new Error(`n8n answered the login with HTTP ${login.status()}`);
		return new Editor(context, await context.newPage(), url);
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	/** Opens a stored workflow and waits until its nodes are drawn. */
	async openWorkflow(workflowId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}`, { waitUntil: 'commit' });
		await this.node().first().waitFor({ timeout: LOAD_LIMIT_MS });
	}

	/** Opens the form of a node of the open workflow, after closing that of another. */
	async openNode(name: string): Promise<void> {
		const close = this.page.locator(
			'[data-test-id=ndv-close-button], [data-test-id=back-to-canvas]',
		);
		if (await close.isVisible()) await close.click();
		await this.node(name).dblclick();
		await this.form.waitFor();
	}

	/** The nodes drawn on the canvas, or the one of a name. */
	node(name?: string): Locator {
		const nodes = this.page.getByTestId('canvas-node');
		return name === undefined
			? nodes
			: nodes.filter({ has: this.page.getByText(name, { exact: true }) });
	}

	/** The form of the open node. */
	get form(): Locator {
		return this.page.getByTestId('node-parameters').first();
	}

	/** All that is shown of the open node: what came in, its form, and what it put out. */
	get dialog(): Locator {
		return this.page.getByTestId('ndv').first();
	}

	/** What the open node put out. */
	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	/** The nodes panel. */
	get panel(): Locator {
		return this.page.getByTestId('node-creator');
	}

	/** The form of a credential. */
	get credential(): Locator {
		return this.page.getByTestId('editCredential-modal');
	}

	/** Types words into the search of the nodes panel and reads what it lists. */
	async search(words: string): Promise<string[]> {
		const bar = this.page.getByTestId('node-creator-search-bar');
		if (!(await bar.isVisible())) await this.page.getByTestId('node-creator-plus-button').click();
		// The panel lists the last result until it has the next one, so the last one has to be none.
		await bar.fill('no such thing');
		await this.listedNames.first().waitFor({ state: 'hidden' });
		await bar.fill(words);
		await this.listedNames.first().waitFor();
		return await this.listed();
	}

	/** Names of what the nodes panel lists, once the list stands still. */
	async listed(): Promise<string[]> {
		return await settled(async () => await this.listedNames.allInnerTexts());
	}

	/** Labels of the form's own fields, from top to bottom; those under Options follow last. */
	async labels(): Promise<string[]> {
		const labels = await settled(async () => await this.visibleLabels());
		return labels.filter((label) => !AROUND.has(label));
	}

	/** Labels of the fields that n8n marks because they have to be filled in. */
	async missing(): Promise<string[]> {
		return await this.form
			.locator('.parameter-item, [data-test-id=parameter-item]')
			.filter({ has: this.page.getByTestId('parameter-issues') })
			.evaluateAll((items) =>
				items
					.filter((item) => !item.querySelector('.parameter-item, [data-test-id=parameter-item]'))
					.map((item) => item.querySelector('.n8n-input-label span')?.textContent?.trim() ?? ''),
			);
	}

	/** Labels of the form that are too long for their place. */
	async cutOff(): Promise<string[]> {
		return await this.form
			.locator('.n8n-input-label span.n8n-text')
			.evaluateAll((texts) =>
				texts
					.filter((text) => text.scrollWidth > text.clientWidth + 1 && text.clientWidth > 0)
					.map((text) => text.textContent?.trim() ?? ''),
			);
	}

	/** Picks an option of a field by its name. */
	async choose(field: string, option: string): Promise<void> {
		const input = this.field(field).locator('input').first();
		await input.click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(option, { exact: true }) })
			.first()
			.click();
		await until(`${field} to show ${option}`, async () =>
			(await input.inputValue()) === option ? true : undefined,
		);
	}

	/** Opens the list of options that can be added, and reads it. */
	async openOptions(): Promise<string[]> {
		await this.addOptionButton.click();
		return await settled(async () => await this.offeredOptions.allInnerTexts());
	}

	/** What can be added under Options. Do not ask for an only one: n8n would add it, without a list. */
	async options(): Promise<string[]> {
		const names = await this.openOptions();
		await this.page.keyboard.press('Escape');
		await this.offeredOptions.first().waitFor({ state: 'hidden' });
		return names;
	}

	/** Adds an option. */
	async addOption(name: string): Promise<void> {
		await this.openOptions();
		await this.offeredOptions.getByText(name, { exact: true }).click();
	}

	/** Runs the open node and waits until n8n shows how it ended. */
	async execute(): Promise<'success' | 'danger'> {
		await this.page.getByTestId('node-execute-button').first().click();
		const [success, danger] = ['success', 'danger'].map((end) =>
			this.output.getByTestId(`node-run-status-${end}`),
		);
		await success.or(danger).waitFor();
		return (await danger.isVisible()) ? 'danger' : 'success';
	}

	/** Opens the credential of the open node, and waits for its fields. */
	async openCredential(): Promise<void> {
		await this.page.getByTestId('credential-edit-button').click();
		// A busy n8n shows the fields, of which there are more than four, later than their window.
		await this.credential.locator('.n8n-input-label:visible').nth(4).waitFor();
	}

	/** A field of the open node, by the name that n8n stores it under. */
	field(name: string): Locator {
		return this.form.getByTestId(`parameter-input-${name}`);
	}

	private get listedNames(): Locator {
		return this.page.getByTestId('node-creator-item-name');
	}

	/** A button in n8n 2, a list to choose from in n8n 1. */
	private get addOptionButton(): Locator {
		return this.form.locator(
			'[data-test-id=collection-parameter-add], .collection-parameter .param-options input, .collection-parameter .param-options > button',
		);
	}

	private get offeredOptions(): Locator {
		return this.page.locator('[data-test-id=collection-parameter-option]:visible');
	}

	private async visibleLabels(): Promise<string[]> {
		return await this.form
			.locator('label.n8n-input-label:visible')
			.evaluateAll((labels) =>
				labels.map((label) => label.querySelector('span')?.textContent?.trim() ?? ''),
			);
	}
}

/** Reads until two readings one after the other are the same. */
async function settled(read: () => Promise<string[]>): Promise<string[]> {
	let last: string | undefined;
	return await until(
		'the editor to stand still',
		async () => {
			const now = await read();
			const isSame = JSON.stringify(now) === last;
			last = JSON.stringify(now);
			return isSame ? now : undefined;
		},
		{ everyMs: 250 },
	);
}

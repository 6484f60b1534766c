import { existsSync } from 'node:fs';
import {
	chromium,
	selectors,
	type Browser,
	type BrowserContext,
	type Locator,
	type Page,
} from 'playwright-core';
import { demoLogin, type RunningN8n } from './startN8n';
import { until } from './until';

// n8n's own tests find elements by this attribute.
selectors.setTestIdAttribute('data-test-id');

/** Where Debian, Ubuntu and others put Chromium. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const QUIET = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// The editor asks n8n's own servers for templates and the like; the tests stay on this machine. (A
	// route of Playwright would do, but turns the cache off, so that each page loads the whole editor.)
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

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

/** The smallest parts of a form that n8n marks as incomplete. */
const ITEM = '.parameter-item, [data-test-id=parameter-item]';

/** A button in n8n 2, a list to choose from in n8n 1. */
const ADD_OPTION =
	'[data-test-id=collection-parameter-add], .collection-parameter .param-options input, .collection-parameter .param-options > button';

/**
 * A browser without a window that talks to nobody but the pages it is sent to: the program that `CHROMIUM` names, or
 * at one of the usual places.
 */
export async function startChromium(): Promise<Browser> {
	const executablePath = process.env.CHROMIUM ?? PLACES.find((place) => existsSync(place));
	if (!executablePath) throw new Error('There is no Chromium: run "apt-get install chromium"');
	return await chromium.launch({ executablePath, headless: true, args: QUIET });
}

/** n8n's editor in a browser, used as a person would: by what is written there. */
export class Editor {
	private constructor(
		private readonly context: BrowserContext,
		readonly page: Page,
		private readonly url: string,
	) {}

	/**
	 * Opens a browser window and logs in as the owner of that n8n.
	 *
	 * @param viewport size of the window in pixels
	 */
	static async open(
		browser: Browser,
		{ url }: Pick<RunningN8n, 'url'>,
		viewport = { width: 1400, height: 900 },
	): Promise<Editor> {
		const context = await browser.newContext({ viewport });
		context.setDefaultTimeout(STEP_LIMIT_MS);
		context.setDefaultNavigationTimeout(LOAD_LIMIT_MS);
		const { email, password } = demoLogin;
		const data = { emailOrLdapLoginId: email, password };
		const login = await context.request.post(`${url}/rest/login`, { data });
		if (!login.ok()) throw new Error(`n8n answered the login with HTTP ${login.status()}`);
		return new Editor(context, await context.newPage(), url);
	}

	async close(): Promise<void> {
		await this.context.close();
	}

	/** Opens a stored workflow and waits until its nodes are drawn. */
	async openWorkflow(workflowId: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${workflowId}`, { waitUntil: 'commit' });
		await this.page.getByTestId('canvas-node').first().waitFor({ timeout: LOAD_LIMIT_MS });
	}

	/** Opens the form of a node of the open workflow, after closing that of another. */
	async openNode(name: string): Promise<void> {
		const close = this.page.locator(
			'[data-test-id=ndv-close-button], [data-test-id=back-to-canvas]',
		);
		if (await close.isVisible()) await close.click();
		const named = { has: this.page.getByText(name, { exact: true }) };
		await this.page.getByTestId('canvas-node').filter(named).dblclick();
		await this.form.waitFor();
	}

	get form(): Locator {
		return this.page.getByTestId('node-parameters').first();
	}

	/** All that is shown of the open node: its input, form and output. */
	get dialog(): Locator {
		return this.page.getByTestId('ndv').first();
	}

	get output(): Locator {
		return this.page.getByTestId('output-panel');
	}

	get panel(): Locator {
		return this.page.getByTestId('node-creator');
	}

	/** Types words into the search of the nodes panel and reads what it lists. */
	async search(words: string): Promise<string[]> {
		const bar = this.page.getByTestId('node-creator-search-bar');
		if (!(await bar.isVisible())) await this.page.getByTestId('node-creator-plus-button').click();
		// The panel shows the last result until it has the next one, so the last one has to be empty.
		await bar.fill('no such thing');
		await this.listedNames.first().waitFor({ state: 'hidden' });
		await bar.fill(words);
		await this.listedNames.first().waitFor();
		return await this.listed();
	}

	/** Names of what the nodes panel lists, once the list no longer changes. */
	async listed(): Promise<string[]> {
		return await settled(async () => await this.listedNames.allInnerTexts());
	}

	private get listedNames(): Locator {
		return this.page.getByTestId('node-creator-item-name');
	}

	/** Labels of the form's own fields, from top to bottom; those under Options follow last. */
	async labels(): Promise<string[]> {
		const visible = this.form.locator('label.n8n-input-label:visible');
		const labels = await settled(async () => await readLabels(visible));
		return labels.filter((label) => !AROUND.has(label));
	}

	/** Labels of the fields that n8n marks because they have to be filled in. */
	async missing(): Promise<string[]> {
		const marked = { has: this.page.getByTestId('parameter-issues') };
		const innermost = { hasNot: this.page.locator(ITEM) };
		const items = this.form.locator(ITEM).filter(marked).filter(innermost);
		return await readLabels(items.locator('.n8n-input-label'));
	}

	/** Picks an option of a field by its name. @param field as n8n stores it */
	async choose(field: string, option: string): Promise<void> {
		const input = this.form.getByTestId(`parameter-input-${field}`).locator('input').first();
		await input.click();
		await this.page
			.locator('.el-select-dropdown__item:visible')
			.filter({ has: this.page.getByText(option, { exact: true }) })
			.first()
			.click();
		const isShown = async () => (await input.inputValue()) === option || undefined;
		await until(`${field} to show ${option}`, isShown);
	}

	/** Opens the list of what can be added under Options. If there is only one, n8n adds it at once. */
	async openOptions(): Promise<string[]> {
		await this.form.locator(ADD_OPTION).click();
		return await settled(async () => await this.offeredOptions.allInnerTexts());
	}

	async addOption(name: string): Promise<void> {
		await this.offeredOptions.getByText(name, { exact: true }).click();
	}

	private get offeredOptions(): Locator {
		return this.page.locator('[data-test-id=collection-parameter-option]:visible');
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
}

/** The words of labels, without the marks beside them. */
const readLabels = async (labels: Locator): Promise<string[]> =>
	await labels.evaluateAll((all) =>
		all.map((each) => each.querySelector('span')?.textContent?.trim() ?? ''),
	);

/** Reads until two readings in a row are the same. */
async function settled(read: () => Promise<string[]>): Promise<string[]> {
	let last: string | undefined;
	const readAgain = async () => {
		const now = await read();
		const isSame = JSON.stringify(now) === last;
		last = JSON.stringify(now);
		return isSame ? now : undefined;
	};
	return await until('the editor to stand still', readAgain, { everyMs: 250 });
}

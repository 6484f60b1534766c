import type { Page } from 'playwright-core';

const LOAD_LIMIT_MS = 120_000;

/** Everything of the editor that is not the canvas. */
const AROUND_THE_CANVAS = `
	#header, #sidebar, .vue-flow__panel, [data-test-id="banner-stack"], .el-notification,
	[data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"],
	[class*="executionButtons"] { visibility: hidden !important; }
`;

/**
 * Takes a picture of a workflow as n8n's editor draws it, without the editor around it.
 *
 * @param url of the workflow in the editor
 * @param path of the picture
 * @param margin in pixels
 */
export async function takeCanvasPicture(
	page: Page,
	url: string,
	path: string,
	margin = 16,
): Promise<void> {
	await page.goto(url, { timeout: LOAD_LIMIT_MS });
	const things = page.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path');
	await page.locator('.vue-flow__node').first().waitFor({ timeout: LOAD_LIMIT_MS });
	await page.addStyleTag({ content: AROUND_THE_CANVAS });
	await page.keyboard.press('Escape');
	await page.keyboard.press('1');
	await page.waitForTimeout(2_000);
	const boxes = await things.evaluateAll((elements) =>
		elements
			.map((element) => element.getBoundingClientRect())
			.filter(({ width, height }) => width > 0 && height > 0)
			.map(({ left, top, right, bottom }) => ({ left, top, right, bottom })),
	);
	const view = page.viewportSize() ?? { width: Infinity, height: Infinity };
	const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)) - margin);
	const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)) - margin);
	const right = Math.min(view.width, Math.max(...boxes.map((box) => box.right)) + margin);
	const bottom = Math.min(view.height, Math.max(...boxes.map((box) => box.bottom)) + margin);
	await page.screenshot({ path, clip: { x, y, width: right - x, height: bottom - y } });
}

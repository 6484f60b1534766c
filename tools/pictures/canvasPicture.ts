import type { Page } from 'playwright-core';

/** Everything of the editor that is not the canvas. */
const AROUND_THE_CANVAS = `
	#header, #sidebar, .vue-flow__panel, [data-test-id="banner-stack"], .el-notification,
	[data-test-id="execute-workflow-button"], [data-test-id="workflow-chat-button"],
	[class*="executionButtons"] { visibility: hidden !important; }
`;

/** In pixels. */
const MARGIN = 16;

/** Takes a picture of the open workflow as n8n's editor draws it, without the editor around it. */
export async function takeCanvasPicture(page: Page, path: string): Promise<void> {
	const things = page.locator('.vue-flow__node, .vue-flow__node *, .vue-flow__edge-path');
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
	const x = Math.max(0, Math.min(...boxes.map(({ left }) => left)) - MARGIN);
	const y = Math.max(0, Math.min(...boxes.map(({ top }) => top)) - MARGIN);
	const right = Math.min(view.width, Math.max(...boxes.map((box) => box.right)) + MARGIN);
	const bottom = Math.min(view.height, Math.max(...boxes.map((box) => box.bottom)) + MARGIN);
	await page.screenshot({ path, clip: { x, y, width: right - x, height: bottom - y } });
}

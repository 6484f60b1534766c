import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { projectFolder } from '../../n8n/harness/paths';

/** Pictures of the documentation; they are made anew only where UPDATE_IMAGES is set. */
const FOLDER = join(projectFolder, 'docs/images');

/** Takes a picture for the documentation, if that was asked for. */
export async function picture(of: Page | Locator, name: string): Promise<void> {
	if (!process.env.UPDATE_IMAGES) return;
	mkdirSync(FOLDER, { recursive: true });
	await of.screenshot({
		path: join(FOLDER, `${name}.png`),
		animations: 'disabled',
		style:
			'.el-notification, [data-test-id=floating-nodes], [data-test-id=canvas-controls] { visibility: hidden }',
	});
}

import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { Editor, type EditorOptions } from '../../test/harness/editor';
import { importAndFill, readExample, type FilledIn } from '../../test/harness/examples';
import type { StoredWorkflow, WorkflowDefinition } from '../../test/harness/n8nRest';
import { DEFAULT_LANGUAGE } from '../../test/harness/pack';
import { projectFolder } from '../../test/harness/paths';
import type { World } from '../../test/harness/world';

/** What pictures are taken in: an n8n with the package in one language. */
export interface Studio extends World {
	browser: Browser;
	language: string;
}

/** How one picture is taken. */
export interface Sitting {
	/** Of the picture, without language and end. */
	name: string;
	/** Environment of an n8n of its own. */
	env?: Record<string, string>;
	take: (studio: Studio) => Promise<void>;
}

/** What stands over and beside what is to be seen. */
const HIDDEN = `.el-notification, [data-test-id=floating-nodes], [data-test-id=canvas-controls]
	{ visibility: hidden }`;

/** The workflows of the pictures are told to people of one language. */
export const isEnglish = ({ language }: Studio): boolean => language === DEFAULT_LANGUAGE;

/** Where a picture belongs. */
export function getPath(studio: Studio, name: string, folder = 'docs'): string {
	const file = isEnglish(studio) ? `${name}.png` : `${name}.${studio.language}.png`;
	console.log(file);
	return join(projectFolder, folder, 'images', file);
}

/** Takes a picture of a part of the page. */
export async function takePart(studio: Studio, part: Locator, name: string): Promise<void> {
	await part.page().waitForTimeout(1_000);
	const path = getPath(studio, name);
	await part.screenshot({ path, animations: 'disabled', style: HIDDEN });
}

/** Stores an example in the language of the studio, with what its pictures show. */
export async function storeExample(
	studio: Studio,
	file: string,
	fillIn: (example: WorkflowDefinition) => FilledIn,
): Promise<StoredWorkflow> {
	const example = await readExample(file);
	const { n8n, credential } = studio;
	return await importAndFill(n8n.rest, credential, example, fillIn(example));
}

/** Opens a stored workflow in the editor for as long as the work on it takes. */
export async function withWorkflow(
	{ browser, n8n }: Studio,
	{ id }: StoredWorkflow,
	viewport: EditorOptions['viewport'],
	work: (editor: Editor) => Promise<void>,
): Promise<void> {
	const editor = await Editor.open(browser, n8n, { viewport });
	await editor.openWorkflow(id);
	await work(editor);
	await editor.close();
}

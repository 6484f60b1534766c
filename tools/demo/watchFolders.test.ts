import { mkdtempSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { until } from '../../test/harness/until';
import { watchFolders } from './watchFolders';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'watched-'));
	mkdirSync(join(folder, 'inner'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('a file that is replaced again and again has changed each time', async () => {
	const file = join(folder, 'inner/file.ts');
	writeFileSync(file, '0');
	const changes = await watchFolders([folder]);
	try {
		for (const content of ['1', '2', '3']) {
			writeFileSync(join(folder, 'new'), content);
			renameSync(join(folder, 'new'), file);
			await until(`change ${content}`, () => changes.take() || undefined);
			expect(changes.take()).toBe(false);
		}
	} finally {
		await changes.stop();
	}
});

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Names, fields and defaults that saved workflows rely on, from the maintainers' list. */
export function contract({ project, unpacked }) {
	const tool = resolve(project, '../shared/tools/contract.cjs');
	if (!existsSync(tool))
		return { skipped: 'the list of the public contract is not beside the project' };
	const { status, stdout, stderr } = spawnSync(process.execPath, [tool, unpacked, '--next'], {
		encoding: 'utf8',
	});
	return status === 0 ? [] : [`${stdout}${stderr}`.trim()];
}

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setSafeRegexEngine } from 'n8n-workflow';

/** n8n keeps settings of its own in this folder, and writes the failures of nodes to its log. */
process.env.N8N_USER_FOLDER ??= join(tmpdir(), 'n8n-nodes-yuntongxun-engine-tests');
process.env.N8N_LOG_LEVEL = 'silent';

// n8n refuses a run if a regular expression of a form takes more than some milliseconds, which happens
// on a busy machine.
setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, by) => input.replace(new RegExp(pattern, flags), by),
	matchAll: (pattern, input, flags = 'g') => [...input.matchAll(new RegExp(pattern, flags))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** n8n keeps settings of its own in this folder, and writes the failures of nodes to its log. */
process.env.N8N_USER_FOLDER ??= join(tmpdir(), 'n8n-nodes-yuntongxun-engine-tests');
process.env.N8N_LOG_LEVEL = 'silent';

// The older generation of n8n's engine starts a timer for SSH connections when it first runs a
// node, and stops it only when the process exits: the test process would wait for it for ever.
const started = globalThis.setInterval;

globalThis.setInterval = Object.assign(
	(...given: Parameters<typeof started>) => started(...given).unref(),
	started,
);

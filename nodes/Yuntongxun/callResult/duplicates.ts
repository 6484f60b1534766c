import { createHash } from 'crypto';
import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

/** How long, in milliseconds, and how many notifications are remembered. */
const MEMORY_MS = 24 * 60 * 60 * 1000;
const MEMORY_SIZE = 5000;

/** Characters of Base64, 96 bits: no two of the remembered ones will be alike by chance. */
const FINGERPRINT_LENGTH = 16;

/** When each notification was first seen, by its fingerprint; oldest first. */
type Memory = Map<string, number>;

/** What one trigger of one workflow has seen. Shared by all calls within this process. */
const memories = new Map<string, Memory>();

/**
 * Whether a notification was seen before, and remembers it. Exact within one process, also for
 * copies at the same moment, since nothing is awaited; the memory is written to the workflow's
 * static data, so that it outlives a restart.
 *
 * @param identity what makes two notifications the same
 * @param now milliseconds since 1970
 */
export function isRepeated(context: IWebhookFunctions, identity: string[], now: number): boolean {
	const stored = context.getWorkflowStaticData('node');
	const memory = memoryOf(`${context.getWorkflow().id}/${context.getNode().id}`, stored);
	const fingerprint = createHash('sha256')
		.update(JSON.stringify(identity))
		.digest('base64')
		.slice(0, FINGERPRINT_LENGTH);
	const seen = memory.get(fingerprint);
	if (seen !== undefined && now - seen < MEMORY_MS) return true;
	memory.delete(fingerprint);
	memory.set(fingerprint, now);
	forget(memory, now);
	stored.recentResults = [...memory].map(([key, at]) => `${key}${at.toString(36)}`);
	return false;
}

/** The memory of this process, with what other processes have written since. */
function memoryOf(trigger: string, stored: IDataObject): Memory {
	const memory = memories.get(trigger) ?? new Map<string, number>();
	memories.set(trigger, memory);
	const entries = (stored.recentResults ?? []) as string[];
	const isKnown = (entry: string) => memory.has(entry.slice(0, FINGERPRINT_LENGTH));
	if (!entries.slice(-1).every(isKnown)) {
		for (const entry of entries) {
			if (isKnown(entry)) continue;
			memory.set(entry.slice(0, FINGERPRINT_LENGTH), parseInt(entry.slice(FINGERPRINT_LENGTH), 36));
		}
	}
	return memory;
}

function forget(memory: Memory, now: number): void {
	for (const [key, at] of memory) {
		if (memory.size <= MEMORY_SIZE && now - at < MEMORY_MS) return;
		memory.delete(key);
	}
}

import { runNode, type Arena } from '../arena';
import { ourNode } from '../contestants';
import { storeXmlCredential } from '../../../test/harness/world';
import { followPeakMemory } from '../memory';
import { atMost, duration, median, type Section } from '../report';

const SUB_ACCOUNTS = 10_000;
const MOST_TO_JSON = 1.5;

/** A long list, in both formats. */
export async function subAccountsSection(arena: Arena, rounds: number): Promise<Section> {
	const measure = async (credential: Arena['credential']) => {
		const contestant = ourNode({
			resource: 'subAccount',
			operation: 'getAll',
			returnAll: true,
		});
		const times: number[] = [];
		const peaks: number[] = [];
		let requests = 0;
		for (let round = 0; round < rounds; round++) {
			const peak = followPeakMemory(arena.n8n);
			const run = await runNode({ ...arena, credential }, contestant, [{}], () =>
				arena.simulator.seedSubAccounts(SUB_ACCOUNTS),
			);
			if (run.items.length !== SUB_ACCOUNTS) throw new Error(`${run.items.length} sub-accounts`);
			times.push(run.ms);
			peaks.push(peak());
			requests = run.requests;
		}
		return { ms: median(times), megabytes: median(peaks), requests };
	};
	const json = await measure(arena.credential);
	const xml = await measure(await storeXmlCredential(arena));
	const row = (name: string, { ms, megabytes, requests }: typeof json) => [
		name,
		String(requests),
		duration(ms),
		Number.isNaN(megabytes) ? 'not known here' : `${megabytes.toFixed(0)} MB`,
	];
	return {
		title: '10,000 sub-accounts listed',
		method:
			"Get Many with Return All. Memory is what n8n's whole process grew by at its highest point, its storing and showing of the execution included.",
		head: ['Format', 'Requests', 'Time of the node', 'Memory at its highest'],
		rows: [row('JSON', json), row('XML', xml)],
		verdicts: [atMost('XML against JSON, time', xml.ms, json.ms, MOST_TO_JSON)],
	};
}

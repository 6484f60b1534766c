import { runNode, type Arena } from '../arena';
import { ourNode, recipients, TO } from '../contestants';
import { duration, ratio, type Section } from '../report';

const RECIPIENTS = 10_000;
const CONCURRENCY = 10;
const FEWEST_REQUESTS = 50;

/** One SMS to 10,000 people, an item each: combined, and one request per item. */
export async function combinedSection(arena: Arena): Promise<Section> {
	const items = recipients(RECIPIENTS);
	const contestant = (combineItems: boolean) =>
		ourNode({
			resource: 'sms',
			operation: 'send',
			to: TO,
			templateId: '100000',
			options: { combineItems, maxConcurrency: CONCURRENCY },
		});
	const measure = async (combineItems: boolean) => {
		const run = await runNode(arena, contestant(combineItems), items);
		if (run.items.length !== RECIPIENTS) throw new Error(`${run.items.length} items came out`);
		return run;
	};
	const combined = await measure(true);
	const single = await measure(false);
	return {
		title: 'One text to 10,000 people',
		method: `One execution with ${RECIPIENTS} items of the same template and variables, ${CONCURRENCY} requests at a time; one run, since it is a long one.`,
		head: ['Combine Identical Messages', 'Requests', 'Time of the node', 'Times as long'],
		rows: [
			['on', String(combined.requests), duration(combined.ms), '1.00'],
			['off', String(single.requests), duration(single.ms), ratio(single.ms, combined.ms)],
		],
		verdicts: [
			{
				aim: `requests when combined: ${FEWEST_REQUESTS}`,
				seen: String(combined.requests),
				met: combined.requests === FEWEST_REQUESTS,
			},
		],
	};
}

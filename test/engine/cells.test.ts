import cells from '../corpus/cells/table.json';
import { CONTINUE } from '../support/engine/engine';
import { getJson, operation, reportIn } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

// Each cell through every reader, with the words of each refusal: test/unit/corpusCells.test.ts. Here: all
// of them in one run, as n8n hands them to the node, and what reaches the service.

const service = useSimulator();

interface Cell {
	cell: string | number;
	/** What is dialed, and what is texted; null where it is refused. */
	call: string | null;
	sms: string[] | null;
}
const rows: Cell[] = cells;

const BESIDE = {
	call: operation('call', 'notify', { mediaTxt: 'Hello', to: '={{ $json.cell }}' }),
	sms: operation('sms', 'send', { templateId: '100000', to: '={{ $json.cell }}' }),
};

it.each(['call', 'sms'] as const)(
	'a %s goes to what the cells say, and to nobody else',
	async (kind) => {
		const items = rows.map(({ cell }) => ({ cell }));
		const run = await service.run(BESIDE[kind], { items, settings: CONTINUE });
		const sent = rows.map((row) => (kind === 'call' ? row.call : (row.sms?.join(',') ?? null)));

		const { requests } = service.simulator.record;
		const reached = requests.map(({ fields }) => String(fields.to));
		expect(reached.sort()).toEqual(sent.filter((to) => to !== null).sort());
		const refused = getJson(run).map(
			(json) => json.error !== undefined && reportIn(json).message.startsWith("'To' "),
		);
		expect(refused).toEqual(sent.map((to) => to === null));
		// The service wants an area code, which the node only gives a hint about.
		service.simulator.reset();
	},
	120_000,
);

import { ANSWERS, readAnswerFile } from '../support/answerCorpus';
import { CONTINUE } from '../support/engine/engine';
import { getJson, readReport } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';
import { EXAMPLE_FORMS, toParameters } from '../support/exampleForms';

const service = useSimulator();

/** Each reading by its node: what a unit cannot see is what the item becomes. */
const SHOWN = ANSWERS.filter(
	({ output, items, file }) => output ?? items ?? /^(?:relay|sms-trial|proxy-502)/.test(file),
);

it('shows some of every reading', () => {
	const readings = new Set(SHOWN.map(({ reading }) => reading));
	expect([...readings].sort()).toEqual(['accepted', 'read', 'refused', 'unknown']);
});

it.each(SHOWN)('$file is $reading by $operation', async (row) => {
	const form = EXAMPLE_FORMS.find((each) => `${each.resource}.${each.operation}` === row.operation);
	if (form === undefined) throw new Error(`no form of ${row.operation}`);
	const fault = service.simulator.fail({
		kind: 'http',
		status: row.status,
		body: readAnswerFile(row),
		contentType: 'text/plain',
	});
	const whole = row.items === undefined ? {} : { returnAll: true, simplify: false };
	const parameters = { ...toParameters(form), ...whole };
	const run = await service.run(parameters, { settings: CONTINUE });
	const jsons = getJson(run);
	expect(fault.hits()).toBe(1);
	if (row.items !== undefined) expect(jsons).toHaveLength(row.items);
	if (row.output) expect(jsons[0]).toMatchObject(row.output);
	if (row.reading === 'refused' || row.reading === 'unknown') {
		expect(readReport(jsons[0])).toMatchObject({
			statusCode: row.code ?? '',
			accepted: row.reading === 'refused' ? 'no' : 'unknown',
		});
	}
});

import type { SimulatorOptions } from '../../simulator/index';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';

const service = useSimulator();

const WIRE_FORMATS = ['json', 'xml'];
/** Both names that the vendor's SDKs have for the list in JSON. */
const MEMBERS: SimulatorOptions[] = [
	{ templateList: 'TemplateSMS' },
	{ templateList: 'smsTemplateList' },
];

const answerWith = (body: object) =>
	service.simulator.fail({
		kind: 'http',
		body: JSON.stringify({ statusCode: '000000', ...body }),
		contentType: 'application/json',
	});

const list = async (account = {}) =>
	await service.run(operation('smsTemplate', 'getAll', { returnAll: true }), { account });

describe('SMS Template: Get Many', () => {
	it.each(MEMBERS)('takes the list whatever the service calls it: %j', async (settings) => {
		service.simulator.configure(settings);
		for (const wireFormat of WIRE_FORMATS) {
			const ids = getJson(await list({ wireFormat })).map(({ id }) => id);
			expect(ids).toEqual(['1', '100002', '100000', '100001', '100300']);
		}
		expect(service.simulator.violations()).toEqual([]);
	});

	it('does not read a template without an ID', async () => {
		answerWith({ TemplateSMS: [{ title: 'no ID' }] });
		const { error } = await list();
		expect(error?.message).toMatch(/its answer lacks id \(code 000000\) \[item 0\]$/);
	});
});

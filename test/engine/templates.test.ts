import type { SimulatorOptions } from '../../simulator/index';
import { CONTINUE } from '../support/engine/engine';
import { getJson, operation, readReport } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

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

const get = async (templateId: string, account = {}) =>
	await service.run(operation('smsTemplate', 'get', { templateId }), {
		settings: CONTINUE,
		account,
	});

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

describe('SMS Template: Get', () => {
	it('takes the template that was asked for, whatever else the service gives', async () => {
		answerWith({ TemplateSMS: [{ id: '7' }, { id: '100002', title: 'mine' }] });
		expect(getJson(await get('100002'))).toEqual([
			expect.objectContaining({ id: '100002', title: 'mine' }),
		]);
	});

	it.each(WIRE_FORMATS)(
		'fails in %s where the service knows no such template',
		async (wireFormat) => {
			const [json] = getJson(await get('424242', { wireFormat }));
			expect(readReport(json)).toMatchObject({ statusCode: '112313' });
		},
	);

	it('fails where the answer has others only, or none', async () => {
		for (const TemplateSMS of [[{ id: '7' }], [], '']) {
			answerWith({ TemplateSMS });
			const report = readReport(getJson(await get('100002'))[0]);
			expect(report.message).toMatch(/lacks a template with this ID .*Get Many/);
			expect(report.statusCode).toBe('000000');
		}
	});
});

import type { INodeParameters } from 'n8n-workflow';

import { runNode } from './support/engine';
import { jsonOf, operation, reportIn } from './support/expectations';
import { useSimulator } from './support/simulator';

const service = useSimulator();
const TO = '13800000000';
const TEXT = '您的验证码为{1}，请在{2}分钟内输入。';

const sent = async (options: INodeParameters) =>
	await runNode({
		parameters: operation(
			'sms',
			'send',
			{ to: TO, templateId: '1', datas: '={{ $json.datas }}' },
			{ templateText: TEXT, ...options },
		),
		items: [{ datas: ['384512', '10'] }, { datas: ['384512'] }],
		settings: { onError: 'continueRegularOutput' },
		credential: service.credential(),
	});

const missing = expect.objectContaining({
	message:
		"'Variables' do not fill Template Text: there is no variable for {2}. Enter one variable for each number in the text, in their order. [item 1]",
	accepted: 'no',
}) as object;

it('sends only what fills the approved text, and does not send the text', async () => {
	const [first, second] = jsonOf(await sent({}));
	expect(first).toMatchObject({ statusCode: '000000', to: TO });
	expect(first).not.toHaveProperty('preview');
	expect(reportIn(second)).toEqual(missing);
	expect(service.simulator.record.requests.map(({ fields }) => fields.datas)).toEqual([
		['384512', '10'],
	]);
	expect(service.simulator.violations()).toEqual([]);
});

it('shows the filled text in a dry run', async () => {
	const [first, second] = jsonOf(await sent({ dryRun: true }));
	expect(first).toEqual({
		dryRun: true,
		endpoint: 'TemplateSMS',
		request: expect.objectContaining({ templateId: '1', datas: ['384512', '10'] }) as object,
		to: TO,
		preview: '您的验证码为384512，请在10分钟内输入。',
		characters: 23,
	});
	expect(reportIn(second)).toEqual(missing);
	expect(service.simulator.record.requests).toEqual([]);
});

it.each([
	[70, []],
	[71, [expect.stringMatching(/more than 70 characters, so each SMS is billed as several/)]],
])(
	'says of a filled text of %i characters whether it is billed as several',
	async (length, hints) => {
		const run = await sent({ dryRun: true, templateText: `{1}{2}${'字'.repeat(length - 8)}` });
		expect(jsonOf(run)[0]).toMatchObject({ characters: length });
		expect(run.hints.map(({ message }) => message)).toEqual(hints);
		expect(service.simulator.record.requests).toEqual([]);
	},
);

it('takes the values of an object in their order', async () => {
	const run = await runNode({
		parameters: operation('sms', 'send', { to: TO, templateId: '1', datas: '={{ [$json.row] }}' }),
		items: [{ row: { code: '384512', minutes: 10 } }],
		credential: service.credential(),
	});
	expect(jsonOf(run)).toEqual([expect.objectContaining({ statusCode: '000000' })]);
	expect(service.simulator.record.requests[0].fields.datas).toEqual(['384512', '10']);
});

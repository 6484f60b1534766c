import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toItemJson } from '../../nodes/Yuntongxun/callbacks/notification';
import { useDeduplication } from '../support/deduplication';
import { EXAMPLE_FORMS, EXAMPLE_NUMBER, FIRST_NAME, toParameters } from '../support/exampleForms';
import type { ExampleForm } from '../support/exampleForms';
import { getItems, getJson, operation } from '../support/expectations';
import { readOne } from '../support/notifications';
import { issueCode } from '../support/sealing';
import { useSimulator } from '../support/simulator';

/*
 * Each operation in n8n's own engine, in both formats. Which fields go out is decided by
 * unit/resources/everyField, what is read in an answer by unit/client/answerCorpus. Here, too: what the
 * next node offers before the first run. n8n reads a JSON schema of each operation's output from
 * `__schema__`, made here from what the node gives: `npm run fix` writes them.
 */

const FOLDER = join(__dirname, '../../nodes/Yuntongxun/__schema__');
const NOW = Date.now();
const HARD_TEXT = 'Tom & <Jerry> said "don\'t" \u{1f4de}\r\n您的验证码]]>';
const service = useSimulator({ now: () => NOW, leadingBlanks: true });
useDeduplication();

/** What a member is, but for the members of its own. */
function deriveType(value: unknown): object {
	if (value === null) return { type: 'null' };
	return { type: Array.isArray(value) ? 'array' : typeof value };
}

function deriveSchema(output: IDataObject): object {
	const members = Object.entries(output).map(([name, value]) => [name, deriveType(value)]);
	return { type: 'object', properties: Object.fromEntries(members) as object, version: 1 };
}

function holdSchema(file: string, output: IDataObject): void {
	const schema = JSON.stringify(deriveSchema(output), null, '\t');
	// One member a line.
	const wanted = `${schema.replace(/\{\s+("type": "\w+")\s+\}/g, '{ $1 }')}\n`;
	const path = join(FOLDER, file);
	if (process.env.WRITE_DOCUMENTS === '1') {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, wanted);
	}
	expect(readFileSync(path, 'utf8')).toBe(wanted);
}

const DELIVERED =
	'<request><action>SellingCall</action><callSid>1</callSid><number>13800000000</number><state>0</state><duration>30</duration><userData>order-42</userData></request>';
/** What the trigger makes of a call that has ended. */
const RESULT = toItemJson(readOne(DELIVERED)!, NOW) as IDataObject;

/** A form with the token or ID that the simulator has made up. */
async function fillIn(form: ExampleForm): Promise<INodeParameters> {
	service.simulator.seedSubAccounts(1);
	const parameters = toParameters(form);
	if (form.operation === 'check') {
		const { token, code } = issueCode(service.simulator.credentials, EXAMPLE_NUMBER);
		return { ...parameters, verificationToken: token, code };
	}
	if (form.operation !== 'close') return parameters;
	const find = operation('subAccount', 'getByName', { friendlyName: FIRST_NAME });
	const [{ subAccountSid }] = getJson(await service.run(find));
	return { ...parameters, subAccountSid: String(subAccountSid) };
}

/** What stays the same in another request of the same form. */
const withoutIds = (json: IDataObject) =>
	Object.fromEntries(
		Object.entries(json).filter(([name]) => !/(Sid|Account|Token|Pwd|expiresAt)$/.test(name)),
	);

test('The trigger has the schema of a call that has ended', () =>
	holdSchema('v1.0.0.json', RESULT));

test.each(EXAMPLE_FORMS)(
	'$resource $operation gives one item, the same in JSON and XML, with its schema',
	async (form) => {
		const outputs: IDataObject[] = [];
		for (const wireFormat of ['json', 'xml']) {
			service.simulator.reset();
			const run = await service.run(await fillIn(form), { account: { wireFormat } });
			const [{ json, pairedItem }, ...more] = getItems(run);
			expect([pairedItem, more]).toEqual([{ item: 0 }, []]);
			expect(service.simulator.violations()).toEqual([]);
			const request = service.simulator.record.requests.at(-1);
			expect(request?.operation).toBe(form.endpoint);
			if (request) expect(request.answerFormat).toBe(wireFormat);
			outputs.push(json);
		}
		const [inJson, inXml] = outputs;
		expect(withoutIds(inXml)).toEqual(withoutIds(inJson));

		// A call can wait, and then gives its result as well.
		const isCall = form.resource === 'call' && form.changes;
		const file = `v1.0.0/${form.resource}/${form.operation}.json`;
		holdSchema(file, isCall ? { ...inJson, ...RESULT } : inJson);
	},
);

test('Text arrives as it is, and a list gives its records', async () => {
	const form = { to: EXAMPLE_NUMBER, templateId: '100002', datas: [HARD_TEXT, ''] };
	await service.run(operation('sms', 'send', form));
	expect(service.simulator.record.requests[0].fields.datas).toEqual([HARD_TEXT, '']);

	service.simulator.seedSubAccounts(2);
	expect(getItems(await service.run(operation('subAccount', 'getAll')))).toMatchObject([
		{ json: { friendlyName: FIRST_NAME, totalCount: '2' }, pairedItem: { item: 0 } },
		{ json: { friendlyName: '李雷0002', totalCount: '2' }, pairedItem: { item: 0 } },
	]);
	expect(service.simulator.violations()).toEqual([]);
});

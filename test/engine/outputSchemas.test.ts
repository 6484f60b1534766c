import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { EXAMPLE_FORMS, FIRST_NAME, toParameters } from '../support/exampleForms';
import { useDeduplication } from '../support/deduplication';
import { node, TYPES } from '../support/engine';
import { getJson, operation } from '../support/expectations';
import { useSimulator } from '../support/simulator';
import { runTrigger } from '../support/webhook';

/*
 * What the next node offers before the first run
 *
 * n8n reads a JSON schema of each operation's output from `__schema__`. They are made here, from what
 * the node gives: `npm run fix` writes them.
 */

const FOLDER = join(__dirname, '../../nodes/Yuntongxun/__schema__');
const service = useSimulator();
useDeduplication();

function deriveSchema(value: unknown): object {
	if (value === null) return { type: 'null' };
	if (Array.isArray(value)) return { type: 'array', items: deriveSchema(value[0] ?? '') };
	if (typeof value !== 'object') return { type: typeof value };
	const members = Object.entries(value as IDataObject).map(([name, each]) => [
		name,
		deriveSchema(each),
	]);
	return { type: 'object', properties: Object.fromEntries(members) as object };
}

function holdSchema(file: string, output: IDataObject | undefined): void {
	if (output === undefined || 'error' in output) throw new Error('There is no output');
	const schema = JSON.stringify({ ...deriveSchema(output), version: 1 }, null, '\t');
	// One member a line.
	const wanted = `${schema.replace(/\{\s+("type": "\w+")\s+\}/g, '{ $1 }')}\n`;
	const path = join(FOLDER, file);
	if (process.env.WRITE_DOCUMENTS === '1') {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, wanted);
	}
	expect(readFileSync(path, 'utf8')).toBe(wanted);
}

async function receiveResult(): Promise<IDataObject | undefined> {
	const { items } = await runTrigger({
		trigger: node('Trigger', TYPES.trigger, { events: ['voiceNotification'], options: {} }),
		body: '<request><action>SellingCall</action><callSid>1</callSid><number>13800000000</number><state>0</state><duration>30</duration><userData>order-42</userData></request>',
	});
	return items?.[0].json;
}

test('The trigger has the schema of a call that has ended', async () => {
	holdSchema('v1.0.0.json', await receiveResult());
});

test.each(EXAMPLE_FORMS)('$resource $operation has the schema of its output', async (form) => {
	service.simulator.seedSubAccounts(1);
	const sent = form.operation === 'check' && (await sendCode());
	const known = sent ? { verificationToken: String(sent.verificationToken) } : {};
	const closing = form.operation === 'close' && (await findSubAccount());
	const sid = closing ? { subAccountSid: String(closing.subAccountSid) } : {};
	const parameters: INodeParameters = { ...toParameters(form), ...known, ...sid };
	const [output] = getJson(await service.run(parameters));
	// A call can wait, and then gives its result as well.
	const isCall = form.resource === 'call' && form.changes;
	const file = `v1.0.0/${form.resource}/${form.operation}.json`;
	holdSchema(file, isCall ? { ...output, ...(await receiveResult()) } : output);
});

async function sendCode(): Promise<IDataObject> {
	const parameters = operation('verificationCode', 'send', { to: '13800000000' });
	return getJson(await service.run(parameters))[0];
}

async function findSubAccount(): Promise<IDataObject> {
	const parameters = operation('subAccount', 'getByName', { friendlyName: FIRST_NAME });
	return getJson(await service.run(parameters))[0];
}

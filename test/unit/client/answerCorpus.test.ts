import type { Answer, Send } from '../../../nodes/Yuntongxun/client/request';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { ANSWERS, readAnswerFile } from '../../support/corpus';
import { EXAMPLE_FORMS, exampleForm } from '../../support/exampleForms';
import { runTask } from '../../support/tasks';
import { checkedItem, CREDENTIAL } from '../../support/trip';
import { answering } from '../../support/http';

const ACCEPTED = { refused: 'no', unknown: 'unknown', incomplete: 'yes', failed: undefined };

/** What an operation makes of an answer: what was read, the items, and the failure. */
async function read(name: string, status: number, body: Buffer | string, whole = {}) {
	const [resource, operation] = name.split('.');
	const parameters = { ...exampleForm(resource, operation).parameters, ...whole };
	const { http } = answering(status, body);
	const { task, send } = checkedItem(resource, operation, parameters, CREDENTIAL, http);
	const answers: Answer[] = [];
	const noting: Send = async (request) => {
		const answer = await send(request);
		answers.push(answer);
		return answer;
	};
	return await runTask(task, noting).then(
		(items) => ({ answer: answers[0], items, failure: undefined }),
		(failure: unknown) => ({ answer: undefined, items: [], failure: failure as ServiceFailure }),
	);
}

it.each(ANSWERS)('$file ($operation, HTTP $status): $reading', async (row) => {
	const whole = row.items === undefined ? {} : { returnAll: true, simplify: false };
	const body = readAnswerFile(row);
	const { answer, items, failure } = await read(row.operation, row.status, body, whole);
	const { reading, fields = {}, records, output = {} } = row;
	if (reading === 'accepted' || reading === 'read') {
		expect(failure).toBeUndefined();
		const found = Object.keys(fields).map((name) => [name, answer?.text(name)]);
		expect(Object.fromEntries(found)).toEqual(fields);
		if (records !== undefined) expect(answer?.records).toHaveLength(records);
		if (row.items !== undefined) expect(items).toHaveLength(row.items);
		expect(items[0] ?? {}).toMatchObject(output);
		return;
	}
	expect(failure).toBeInstanceOf(ServiceFailure);
	expect(failure?.facts).toMatchObject({
		statusCode: row.code ?? '',
		...(row.statusMsg !== undefined && { statusMsg: row.statusMsg }),
	});
	expect(failure?.facts.accepted).toBe(ACCEPTED[reading]);
	expect(failure?.facts.overload === true).toBe(row.again === true);
});

it.each(EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined))(
	'$resource $operation says whether it was accepted, where it changes something',
	async ({ resource, operation, changes, essential }) => {
		const failAt = async (status: number, body: string) =>
			(await read(`${resource}.${operation}`, status, body)).failure?.facts;
		const refused = await failAt(200, '{"statusCode":"111181"}');
		const lost = await failAt(500, '');
		expect([refused?.accepted, lost?.accepted]).toEqual(
			changes ? ['no', 'unknown'] : [undefined, undefined],
		);
		if (essential === undefined) return;
		const empty = await failAt(200, '{"statusCode":"000000"}');
		expect(empty?.summary).toContain('lacks the result');
		expect(empty?.accepted).toBe(changes ? 'yes' : undefined);
	},
);

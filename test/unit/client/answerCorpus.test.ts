import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { createClient } from '../../../nodes/Yuntongxun/client/client';
import { parseCredential } from '../../../nodes/Yuntongxun/client/credential';
import { ServiceFailure } from '../../../nodes/Yuntongxun/client/serviceFailure';
import { findOperation } from '../../../nodes/Yuntongxun/operation/defineOperation';
import { RESOURCES } from '../../../nodes/Yuntongxun/resources';
import { ANSWERS, readAnswerFile } from '../../support/answerCorpus';
import type { CorpusAnswer } from '../../support/answerCorpus';
import { answering } from '../support/http';

const ACCOUNT = parseCredential({
	accountSid: 'sid-of-the-test',
	authToken: 'made-up-token',
	baseUrl: 'https://service.example.com:8883',
});

const ACCEPTED = { refused: 'no', unknown: 'unknown', incomplete: 'yes', failed: undefined };

async function read(row: CorpusAnswer) {
	const [resource, operation] = row.operation.split('.');
	const endpoint = findOperation(RESOURCES, resource, operation)?.endpoint;
	if (endpoint === undefined) throw new Error(`${row.operation} makes no request`);
	const { http } = answering(row.status, readAnswerFile(row));
	const send = createClient(ACCOUNT, http, 60_000);
	return await send({ endpoint, fields: {} }).then(
		(answer) => ({ answer, failure: undefined }),
		(failure: unknown) => ({ answer: undefined, failure: failure as ServiceFailure }),
	);
}

it('has a row for each file', () => {
	const files = readdirSync(join(__dirname, '../../corpus/answers'));
	const listed = ANSWERS.map(({ file }) => file);
	expect(files.sort()).toEqual([...listed, 'table.json'].sort());
	expect(listed.length).toBeGreaterThanOrEqual(50);
});

it.each(ANSWERS)('$file ($operation, HTTP $status): $reading', async (row) => {
	const { answer, failure } = await read(row);
	const { reading, fields = {}, records } = row;
	if (reading === 'accepted' || reading === 'read') {
		const found = Object.keys(fields).map((name) => [name, answer?.text(name)]);
		expect(failure).toBeUndefined();
		expect(Object.fromEntries(found)).toEqual(fields);
		if (records !== undefined) expect(answer?.records).toHaveLength(records);
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

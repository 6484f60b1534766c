import type { IDataObject } from 'n8n-workflow';

import { SUCCESS } from '../client/failureTable';
import type { Answer, Endpoint } from '../client/request';
import { readFields } from '../operation/defineOperation';
import { formatServiceTimestamp, toDateMember } from '../util/serviceTime';

/**
 * Reads what every accepted request returns: status code, date, and an ID.
 *
 * @param endpoint whose essential field is the ID
 */
export function readAcceptedFields(answer: Answer, { essential: id = '' }: Endpoint): IDataObject {
	return {
		...readFields(answer, ['statusCode', id, 'dateCreated']),
		...toDateMember('createdAt', answer.text('dateCreated')),
	};
}

/** A made-up answer to an accepted call. Specification section 4. */
export const answerCall = (id: string): Answer =>
	buildAnswer({
		callSid: id,
		orderid: id,
		dateCreated: getNow().replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6'),
	});

/** A made-up answer to an accepted SMS. Specification section 4.3. */
export const answerSms = (id: string): Answer =>
	buildAnswer({ smsMessageSid: id, dateCreated: getNow() });

const getNow = () => formatServiceTimestamp(new Date());

function buildAnswer(fields: Readonly<Record<string, string>>): Answer {
	const statusCode = SUCCESS;
	return { statusCode, text: (name) => ({ statusCode, ...fields })[name] ?? '', records: [] };
}

import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../client/request';
import { readFields } from '../operation/output';
import { toDateMember } from '../util/serviceTime';

/**
 * Reads what every accepted request returns: status code, date, and an ID.
 *
 * @param id name of the field with the ID
 */
export function readAcceptedFields(answer: Answer, id: string): IDataObject {
	return {
		...readFields(answer, ['statusCode', id, 'dateCreated']),
		...toDateMember('createdAt', answer.text('dateCreated')),
	};
}

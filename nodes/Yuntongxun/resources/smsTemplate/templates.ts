import type { IDataObject } from 'n8n-workflow';

import { getTextMember } from '../../client/codec';
import type { Answer, Send } from '../../client/request';
import { pick, readFields } from '../../operation/output';
import type { ListedText } from '../../operation/rehearsal';
import { toDateMember } from '../../util/serviceTime';
import { QUERY_SMS_TEMPLATE } from '../endpoints';
import { findPlaces, previewText } from '../sms/variables';
import vendorTemplate from './vendorTemplate.json';

/** The only known status of a template, from another client of the service. */
export const APPROVED = '1';

/**
 * Reads the templates of an application, with one request. Untried against the live service.
 *
 * @param templateId empty for all of them
 * @returns one item per template, in the order of the service; none if the answer has no list
 * @throws ServiceFailure
 */
export async function queryTemplates(
	send: Send,
	appId: string,
	templateId = '',
): Promise<IDataObject[]> {
	const { statusCode, records } = await send({
		endpoint: QUERY_SMS_TEMPLATE,
		fields: { appId, templateId },
	});

	return records.map((record) => {
		const text = (name: string) => getTextMember(record, name);
		return { statusCode, ...buildTemplateOutput({ text }) };
	});
}

/** Fields of the simplified output. */
const SIMPLIFIED_TEMPLATE = ['id', 'title', 'content', 'variables', 'statusName'];

/** Leaves only what most workflows need of a template. */
export const simplifyTemplate = (template: IDataObject): IDataObject =>
	pick(template, SIMPLIFIED_TEMPLATE);

/** The service's own values, and readable names beside them. */
function buildTemplateOutput(source: Pick<Answer, 'text'>): IDataObject {
	const reason = source.text('reason');

	return {
		...readFields(source, [
			'id',
			'title',
			'content',
			'status',
			'type',
			'dateCreated',
			'dateUpdated',
		]),
		variables: findPlaces(source.text('content')).size,
		statusName: source.text('status') === APPROVED ? 'Approved' : 'Unknown',
		...toDateMember('createdAt', source.text('dateCreated')),
		...toDateMember('updatedAt', source.text('dateUpdated')),
		...(reason !== '' && { reason }),
	};
}

/**
 * The vendor's own template, the only one that a trial account may send. The list of an account's
 * templates lacks it. Its text is publicly known; untried against the live service.
 */
export const VENDOR_TEMPLATE: Readonly<IDataObject> = vendorTemplate;

/** The text of a template of an application, filled for a dry run. */
export function buildListedText(
	appId: string,
	templateId = '',
	variables: readonly string[] = [],
): ListedText {
	const readList = async (send: Send) => {
		const listed = [VENDOR_TEMPLATE, ...(await queryTemplates(send, appId))];
		return new Map(listed.map((each) => [String(each.id), String(each.content)]));
	};
	const fill = (text: string) => previewText(text, variables);
	return { id: templateId, list: appId, readList, fill };
}

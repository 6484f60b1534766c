import type { IDataObject } from 'n8n-workflow';

import { getTextMember } from '../../client/codec';
import type { Answer, Send } from '../../client/request';
import { pick, readFields } from '../../operation/defineOperation';
import type { ItemForm } from '../../operation/field';
import { toDateMember } from '../../util/serviceTime';
import { QUERY_SMS_TEMPLATE } from '../endpoints';
import { templateId } from './templateId';
import vendorTemplate from './vendorTemplate.json';

/** The only known status of a template, from another client of the service. */
export const APPROVED = '1';

/**
 * Reads the templates of an application, with one request. Untried against the live service.
 *
 * @returns one item per template, in the order of the service; none if the answer has no list
 * @throws ServiceFailure
 */
export async function queryTemplates(send: Send, appId: string): Promise<IDataObject[]> {
	const { statusCode, records } = await send({
		endpoint: QUERY_SMS_TEMPLATE,
		// Empty for all of them.
		fields: { appId, templateId: '' },
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

const PLACEHOLDER = /\{(\d+)\}/g;

/** The service's own values, and readable names beside them. */
function buildTemplateOutput(source: Pick<Answer, 'text'>): IDataObject {
	const reason = source.text('reason');
	const placeholders = source.text('content').match(PLACEHOLDER);

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
		variables: new Set(placeholders).size,
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

/** How the picker shows a template, which the form keeps: title, ID and text. */
export const buildTemplateLabel = (title: string, id: string, content: string): string =>
	`${title}${buildMark(id)}${content}`;

const buildMark = (id: string): string => ` (${id}): `;

/**
 * The member that a dry run has besides: the text of the SMS, if its template was picked from the list. A
 * placeholder without a variable stays.
 *
 * @param id of the template
 */
export function buildPreview(
	item: ItemForm,
	id = '',
	variables: readonly string[] = [],
): IDataObject | undefined {
	const stored = item.storedParameter(templateId.property.name);
	const { cachedResultName: label = '' } = (stored ?? {}) as { cachedResultName?: unknown };
	const [, ...texts] = String(label).split(buildMark(id));
	if (texts.length === 0) return undefined;

	const preview = texts
		.join(buildMark(id))
		.replace(
			PLACEHOLDER,
			(placeholder, number: string) => variables[Number(number) - 1] ?? placeholder,
		);
	return { preview };
}

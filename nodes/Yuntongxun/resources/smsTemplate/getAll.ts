import type { IDataObject } from 'n8n-workflow';

import { getTextMember } from '../../client/codec';
import type { Answer, Endpoint, Send } from '../../client/request';
import { defineTask, pick, readFields } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { toDateMember } from '../../util/serviceTime';
import { appId, limit, returnAll, simplify } from '../fields';
import { PLACEHOLDER } from './templateId';

/**
 * Templates of an application. Not in the specification, but in the vendor's SDKs, which disagree
 * about the name of the list. Untried against the live service.
 */
const QUERY_SMS_TEMPLATE: Endpoint = {
	name: 'QuerySMSTemplate',
	path: 'SMS/QuerySMSTemplate',
	root: 'Request',
	members: ['TemplateSMS', 'smsTemplateList'],
	essentialOfEach: 'id',
	// One answer has all templates.
	maxAnswerBytes: 2 * 1024 * 1024,
	hasSideEffects: false,
};

/** Lists templates. Not in the specification; untried against the live service. */
export const getTemplates = defineTask({
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many SMS templates',
	description: 'Get the SMS templates of an application, with their texts',
	endpoint: QUERY_SMS_TEMPLATE,
	fields: { returnAll, limit, simplify, appId },
	options: OPTIONS_OF_REQUEST,
	prepare(values) {
		const { appId: application } = values;
		// The service returns all at once: no paging is known.
		const count = values.returnAll ? Infinity : values.limit;

		return {
			run: async (send) => {
				const templates = (await queryTemplates(send, application)).slice(0, count);
				return values.simplify
					? templates.map((template) => pick(template, SIMPLIFIED_TEMPLATE))
					: templates;
			},
		};
	},
});

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

const TEMPLATE_FIELDS = ['id', 'title', 'content', 'status', 'type', 'dateCreated', 'dateUpdated'];

const SIMPLIFIED_TEMPLATE = ['id', 'title', 'content', 'variables', 'statusName'];

/** The service's own values, and readable names beside them. */
function buildTemplateOutput(source: Pick<Answer, 'text'>): IDataObject {
	const reason = source.text('reason');
	const placeholders = source.text('content').match(PLACEHOLDER);

	return {
		...readFields(source, TEMPLATE_FIELDS),
		variables: new Set(placeholders).size,
		statusName: source.text('status') === APPROVED ? 'Approved' : 'Unknown',
		...toDateMember('createdAt', source.text('dateCreated')),
		...toDateMember('updatedAt', source.text('dateUpdated')),
		...(reason !== '' && { reason }),
	};
}

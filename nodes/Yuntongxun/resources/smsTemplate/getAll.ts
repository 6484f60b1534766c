import { defineTask } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { QUERY_SMS_TEMPLATE } from '../endpoints';
import { appId, limit, returnAll, simplify } from '../fields';
import { queryTemplates, simplifyTemplate } from './templates';

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
				return values.simplify ? templates.map(simplifyTemplate) : templates;
			},
		};
	},
});

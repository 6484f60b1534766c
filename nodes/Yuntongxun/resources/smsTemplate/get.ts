import { SUCCESS } from '../../client/failureTable';
import { ServiceFailure } from '../../client/serviceFailure';
import { translate } from '../../language/translate';
import { defineTask } from '../../operation/defineOperation';
import { OPTIONS_OF_REQUEST } from '../../operation/options';
import { QUERY_SMS_TEMPLATE } from '../endpoints';
import { appId, simplify } from '../fields';
import { anyTemplateId as templateId } from './templateId';
import { queryTemplates, simplifyTemplate } from './templates';

/** Reads one template. Not in the specification; untried against the live service. */
export const getTemplate = defineTask({
	value: 'get',
	name: 'Get',
	action: 'Get an SMS template',
	description: 'Get the text and the approval of an SMS template',
	endpoint: QUERY_SMS_TEMPLATE,
	fields: { templateId, simplify, appId },
	options: OPTIONS_OF_REQUEST,
	prepare({ appId: application, templateId: id = '', simplify: isSimplified }) {
		return {
			run: async (send) => {
				const templates = await queryTemplates(send, application, id);
				const found = templates.find((template) => template.id === id);
				if (found) return [isSimplified ? simplifyTemplate(found) : found];

				throw new ServiceFailure({
					summary: translate(
						'The service reports success, but its answer lacks a template with this ID',
					),
					remedy: translate('Get Many lists the templates that the application has.'),
					statusCode: SUCCESS,
					statusMsg: '',
				});
			},
		};
	},
});

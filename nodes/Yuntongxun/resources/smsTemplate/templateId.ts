import { parameter } from '../../operation/field';
import { trimmed } from '../../operation/validators';

/** An approved template, chosen from the account's list or named by its ID. Specification 4.3. */
export const templateId = parameter(trimmed, {
	displayName: 'Template ID',
	name: 'templateId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'Approved template (templateId). If the list cannot be read, choose By ID.',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a template...',
			typeOptions: { searchListMethod: 'searchTemplates', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 100002',
		},
	],
});

import type { IDataObject } from 'n8n-workflow';

import { parameter } from '../../operation/field';
import type { ItemForm } from '../../operation/field';
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
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 100002' },
	],
});

/** A place for a variable in the text of a template, as in `{1}`. */
export const PLACEHOLDER = /\{(\d+)\}/g;

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

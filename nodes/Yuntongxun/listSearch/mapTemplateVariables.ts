import type {
	IDataObject,
	ILoadOptionsFunctions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { translate } from '../language/translate';
import { findPlaces, MAX_VARIABLES } from '../resources/sms/variables';
import { queryTemplates, VENDOR_TEMPLATE } from '../resources/smsTemplate/templates';
import { preparePicker } from './pickerRequest';

/** Fields of a template that cannot be read, and how many of them are shown at first. */
const UNKNOWN_FIELDS = 10;
const UNKNOWN_FIELDS_SHOWN = 3;

/**
 * Finds the fields for the variables of the chosen template, with one request: one for each
 * placeholder, labelled with the words around it. Without its text, numbered ones that may stay empty.
 * Never throws: the editor would show no field at all.
 */
export async function mapTemplateVariables(
	this: ILoadOptionsFunctions,
): Promise<ResourceMapperFields> {
	const content = await readContent(this).catch(() => undefined);
	if (content === undefined) return { fields: buildUnknownFields() };

	return {
		fields: findNumbers(content).map((number) => ({
			...buildField(number, describePlace(content, number)),
			required: true,
		})),
		emptyFieldsNotice: translate('This template has no variables.'),
	};
}

/** The text of the chosen template; undefined if none is chosen or the account has no such one. */
async function readContent(context: ILoadOptionsFunctions): Promise<string | undefined> {
	const chosen = context.getNodeParameter('templateId', '', { extractValue: true });
	const id = String(chosen ?? '').trim();
	if (id === '') return undefined;

	const listed = await queryListed(context, id).catch(() => []);
	const template = [...listed, VENDOR_TEMPLATE].find((each) => each.id === id);
	return template === undefined ? undefined : String(template.content);
}

async function queryListed(context: ILoadOptionsFunctions, id: string): Promise<IDataObject[]> {
	const { send, appId } = await preparePicker(context, 'templates');
	return await queryTemplates(send, appId, id);
}

/** The numbers of the placeholders that can have a field, in their order. */
function findNumbers(content: string): number[] {
	const numbers = [...findPlaces(content)].filter((number) => !number.startsWith('0'));
	return numbers
		.map(Number)
		.filter((number) => number <= MAX_VARIABLES)
		.sort((one, other) => one - other);
}

function buildUnknownFields(): ResourceMapperField[] {
	return Array.from({ length: UNKNOWN_FIELDS }, (_each, at) => ({
		...buildField(at + 1, `{${at + 1}}`),
		removed: at >= UNKNOWN_FIELDS_SHOWN,
	}));
}

const buildField = (number: number, displayName: string): ResourceMapperField => ({
	id: String(number),
	displayName,
	type: 'string',
	required: false,
	display: true,
	defaultMatch: false,
});

/** Marks that end a clause, in Chinese and in English. */
const MARKS = '，。！？；：、,.!?;:';
const BREAKS = `${MARKS}{}【】()（）`;

/** Up to twenty characters right before a placeholder with the mark behind them, and right after it. */
const BEFORE = new RegExp(`[^${BREAKS}]{0,20}[${MARKS}\\s]*$`, 'u');
const AFTER = new RegExp(`^[^${BREAKS}]{0,20}[${MARKS}]?`, 'u');
const LEADING_MARKS = new RegExp(`^[${MARKS}\\s]+`, 'u');

/** A placeholder with the words around it. */
function describePlace(content: string, number: number): string {
	const placeholder = `{${number}}`;
	const [head, ...rest] = content.split(placeholder);
	const before = head.slice(head.search(BEFORE)).replace(LEADING_MARKS, '');
	const after = (AFTER.exec(rest.join(placeholder))?.[0] ?? '').trimEnd();
	return `${before}${placeholder}${after}`;
}

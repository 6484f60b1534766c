import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { read } from './markdown';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

export const isProperty = (entry: Entry): entry is INodeProperties => Object.hasOwn(entry, 'type');
const isChoice = (entry: Entry): entry is INodePropertyOptions => Object.hasOwn(entry, 'value');
export const isCollection = (entry: Entry): entry is INodePropertyCollection =>
	Object.hasOwn(entry, 'values');
const isSeen = ({ type }: INodeProperties) => type !== 'notice' && type !== 'hidden';
const within = ({ options = [] }: INodeProperties) => options.filter(isProperty);

export const action = new Yuntongxun().description;
export const trigger = new YuntongxunTrigger().description;
export const credential = new YuntongxunApi();

const TRANSLATIONS = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** A text of a field in Chinese; empty if there is none. */
export const toChinese = (field: string, text: string): string =>
	TRANSLATIONS[`${field}|${text}`] ?? TRANSLATIONS[text] ?? '';

/** A form as its user reads it, from top to bottom. */
export interface Form {
	/** What a document calls it. */
	title: string;
	fields: INodeProperties[];
	/** What can be added under Options, in the order of that list. */
	options: INodeProperties[];
	/** Stored name of the operation, such as `call.notify`; undefined for trigger and credential. */
	operation?: string;
}

function describeForm(title: string, properties: INodeProperties[], operation?: string): Form {
	const seen = properties.filter(isSeen);
	return {
		title,
		operation,
		fields: seen.filter(({ type }) => type !== 'collection'),
		options: seen.filter(({ type }) => type === 'collection').flatMap(within),
	};
}

/** What can be chosen in a field. */
const getChoices = (property: INodeProperties) => (property.options ?? []).filter(isChoice);
const [resourcePicker] = action.properties;
const operationPickers = action.properties.filter(({ name }) => name === 'operation');

const ACTION_FORMS = getChoices(resourcePicker).flatMap((resource) =>
	operationPickers
		.filter(({ displayOptions }) => displayOptions?.show?.resource?.includes(resource.value))
		.flatMap(getChoices)
		.map((operation) =>
			describeForm(
				`${resource.name}: ${operation.name}`,
				action.properties.filter(
					({ displayOptions: { show = {} } = {} }) =>
						show.resource?.includes(resource.value) && show.operation?.includes(operation.value),
				),
				`${resource.value}.${operation.value}`,
			),
		),
);

/** Every form of the package. */
export const FORMS: readonly Form[] = [
	...ACTION_FORMS,
	describeForm(trigger.displayName, trigger.properties),
	describeForm('Credential', credential.properties),
];

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

export const action = new Yuntongxun().description;
export const trigger = new YuntongxunTrigger().description;
export const credential = new YuntongxunApi();

const TRANSLATIONS = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** A text of a field in Chinese; empty if there is none. */
export const toChinese = (field: string, text: string): string =>
	TRANSLATIONS[`${field}|${text}`] ?? TRANSLATIONS[text] ?? '';

/** The form of an operation as its user reads it, from top to bottom, without its options. */
export interface Form {
	/** As the editor shows it; so is the operation. */
	resource: string;
	operation: string;
	fields: INodeProperties[];
}

/** What can be chosen in a field. */
const getChoices = (property: INodeProperties) => (property.options ?? []).filter(isChoice);

/** The fields that are shown for a choice, and perhaps for others. */
const findShownFor = (
	properties: INodeProperties[],
	picker: string,
	choice: INodePropertyOptions,
) =>
	properties.filter(({ displayOptions }) => displayOptions?.show?.[picker]?.includes(choice.value));

const UNSEEN = ['notice', 'hidden', 'collection'];

/** The form of every operation. */
export const FORMS: readonly Form[] = getChoices(action.properties[0]).flatMap((resource) => {
	const ofResource = findShownFor(action.properties, 'resource', resource);
	const [picker] = ofResource.filter(({ name }) => name === 'operation');
	return getChoices(picker).map((operation) => ({
		resource: resource.name,
		operation: operation.name,
		fields: findShownFor(ofResource, 'operation', operation).filter(
			({ type }) => !UNSEEN.includes(type),
		),
	}));
});

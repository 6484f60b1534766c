import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { YuntongxunApi } from '../../credentials/YuntongxunApi.credentials';
import { Yuntongxun } from '../../nodes/Yuntongxun/Yuntongxun.node';
import { YuntongxunTrigger } from '../../nodes/Yuntongxun/YuntongxunTrigger.node';
import { read } from './markdown';

type Entry = INodeProperties | INodePropertyOptions | INodePropertyCollection;

export const isProperty = (entry: Entry): entry is INodeProperties => Object.hasOwn(entry, 'type');
export const isCollection = (entry: Entry): entry is INodePropertyCollection =>
	Object.hasOwn(entry, 'values');

export const action = new Yuntongxun().description;
export const trigger = new YuntongxunTrigger().description;
export const credential = new YuntongxunApi();

const TRANSLATIONS = JSON.parse(read('translations/zh-CN.json')) as Record<string, string>;

/** A text of a field in Chinese; empty if there is none. */
export const toChinese = (field: string, text: string): string =>
	TRANSLATIONS[`${field}|${text}`] ?? TRANSLATIONS[text] ?? '';

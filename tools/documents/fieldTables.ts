import { inspect } from 'node:util';
import type { INodeProperties } from 'n8n-workflow';

import {
	OPTIONS_OF_REQUEST,
	OPTIONS_OF_SENDING,
	PACE_OPTIONS,
} from '../../nodes/Yuntongxun/operation/options';
import { OPERATIONS as SIMULATED } from '../../simulator/operations';
import type { OperationName } from '../../simulator/operations';
import { exampleForm } from '../../test/support/exampleForms';
import { CHINESE_ADDED } from './chineseFields';
import { getChoices, FORMS, toChinese, type Form } from './forms';
import { anchor, headings } from './markdown';

/*
 * The field tables of docs/operations.md, made from the forms
 *
 * A table stands between `<!-- fields of call.notify -->` and `<!-- end of fields -->`. A field that
 * an earlier table has already described links there. In Chinese the words come from
 * `chineseFields.ts`, names of fields from `translations/`; everything else is the same.
 */

/** A chapter with tables, by the name that its marks have. */
interface Chapter {
	name: string;
	fields: INodeProperties[];
	options: INodeProperties[];
	/** The chapters of options that its form has as well. */
	shared: string[];
	/** Operations of the service that it can call. */
	endpoints: OperationName[];
}

const getNames = (options: object) => Object.keys(options);
const SHARED: Record<string, string[]> = {
	'options of calls and SMS': getNames(OPTIONS_OF_SENDING).filter(
		(name) => !getNames({ ...OPTIONS_OF_REQUEST, ...PACE_OPTIONS }).includes(name),
	),
	'options of pace': getNames(PACE_OPTIONS),
	'options of every request': getNames(OPTIONS_OF_REQUEST),
};
const SHARED_NAMES = Object.values(SHARED).flat();

function toChapter(form: Form): Chapter {
	return {
		name: form.operation ?? form.title,
		fields: form.fields,
		options: form.options.filter(({ name }) => !SHARED_NAMES.includes(name)),
		shared: getNames(SHARED).filter((group) =>
			form.options.some(({ name }) => SHARED[group].includes(name)),
		),
		endpoints: findEndpoints(form.operation),
	};
}

function findEndpoints(operation?: string): OperationName[] {
	if (operation === undefined) return [];
	if (operation === 'verificationCode.send') return ['VoiceVerify', 'TemplateSMS'];
	const { endpoint } = exampleForm(...(operation.split('.') as [string, string]));
	return endpoint === undefined ? [] : [endpoint];
}

const WITH_ALL_OPTIONS = FORMS.find(({ operation }) => operation === 'call.notify');

/** Every chapter with tables. */
export const CHAPTERS: readonly Chapter[] = [
	...FORMS.map(toChapter),
	...Object.entries(SHARED).map(([name, names]) => ({
		name,
		fields: (WITH_ALL_OPTIONS?.options ?? []).filter((property) => names.includes(property.name)),
		options: [],
		shared: [],
		endpoints: [],
	})),
];

/** Service's fields that a form offers under another name. */
const OTHER_NAMES: Record<string, string> = {
	'call.notify content': 'playMode',
	'sms.send datas': 'datas',
	'sms.send variables': 'datas',
	'verificationCode.send datas': 'datas',
	'subAccount.getAll limit': 'offset',
	'call.getResult callSid': 'callsid',
	'subAccount.close appId': '',
	'Yuntongxun Trigger events': 'action',
	'Yuntongxun Trigger outcomes': 'state',
	'Credential accountSid': 'accountSid',
	'Credential appId': 'appId',
};

/** The service's own name for a field; empty if the service has no such field. */
function getServiceField({ name: chapter, endpoints }: Chapter, { name }: INodeProperties): string {
	const other = OTHER_NAMES[`${chapter} ${name}`];
	if (other !== undefined) return other;
	const known = SIMULATED.filter((each) => endpoints.includes(each.name));
	return known.some(({ fields }) => fields.some((field) => field.name === name)) ? name : '';
}

/** What the documents add to the words of a form, by chapter and field. */
export const ADDED: Record<string, string> = {
	'call.notify to': 'See [Phone numbers](#phone-numbers).',
	'call.notify content': 'For the last one `playMode` is `1`; otherwise it is not sent.',
	'call.notify mediaNameType': "Own Audio is the service's default and is not sent.",
	'call.notify resultDelivery': 'See [The result of a call](call-results.md).',
	'call.notify waitLimit':
		'Up to a year. Calls without a result then have the outcome `timeout`. Without a trigger n8n checks its own timer only once a minute.',
	'call.notify respUrl':
		"The internet must reach it. It may belong to another system. A trigger's gets a token that is good for 24 hours.",
	'call.notify mediaName':
		'Upload your own in the Yuntongxun console; mono, 8 kHz, 16-bit PCM at 128 kbps is recommended.',
	'call.verify playVerifyCode':
		'Upload your own in the Yuntongxun console; mono, 8 kHz, 16-bit PCM at 128 kbps is recommended.',
	'call.verify welcomePrompt':
		'Several, separated by semicolons, are sent as well; the vendor documents only one.',
	'call.notify userData':
		'At most 1,024 bytes. An object from an expression also comes back parsed, as `userDataParsed`.',
	'sms.send to': 'See [Phone numbers](#phone-numbers).',
	'sms.send variables':
		'Each field has the words around its placeholder; a template that cannot be read has numbered fields. Choosing another template empties them; so does n8n 1 when an expression in Template ID first resolves. An empty one in between keeps its place.',
	'sms.send datas':
		'A list or an object from an expression fills several rows. An empty row keeps its place. Add none if the template has no variables.',
	'sms.send templateId':
		'The console shows the number. A trial account can probably use template 1 only.',
	'sms.send reqId':
		'The service refuses one that was used that day (160054). An item that needs several requests is refused with it.',
	'sms.send templateText':
		'Items whose variables do not fill it exactly are refused before a request. Dry Run shows the filled text and its length. The output has them as `preview` and `characters`; above 70 characters an SMS is probably billed as several.',
	'verificationCode.send datas': 'At least one row has {code}. The default values fit template 1.',
	'verificationCode.send resendToken':
		'Either channel works; the expiry stays the same. Leave the option out for a new code.',
	'verificationCode.check code':
		'Full-width digits count, and a number gets its leading zeros back.',
	'subAccount.create friendlyName':
		"The service's documentation asks for that; users report that other names were accepted too.",
	'subAccount.getAll startNo': '100 begins with the 101st.',
	'subAccount.getAll limit': 'The node requests up to 100 at a time.',
	'options of calls and SMS allowedRecipients':
		'A number without an extension also allows its extensions. The option does not accept an expression, so data and AI agents cannot change it.',
	'options of calls and SMS limits':
		'One to four limits: by phone number, for all of this node, or by a value such as the address of a visitor (the only part that accepts an expression; it is kept as a hash), each per minute (any 60 seconds), per clock hour or per calendar day, taken to be UTC+8. Each number of an SMS counts. Two nodes set to 5 allow 10 together.',
	'options of calls and SMS idempotencyKey':
		'With several n8n workers, two that run at once may both send.',
	'options of pace requestsPerSecond': 'Only the value of the first item counts.',
	'options of every request timeout':
		'After a timeout it is not known whether the service accepted the request.',
	'options of pace maxConcurrency':
		'Only the value of the first item counts. The node slows down by itself while the service refuses requests because of load.',
	'options of calls and SMS dryRun':
		'It does not accept an expression. See [Rehearse](rehearse.md).',
	'Yuntongxun Trigger ignoreDuplicates':
		'The last 5,000 are remembered until n8n restarts. Copies that reach different n8n processes may each start an execution. Tests in the editor are not affected.',
	'Yuntongxun Trigger outcomes': 'Other events are not affected.',
};

/** The words of a document around those of the forms. */
export const ENGLISH = {
	head: ['Field', "Service's field", 'What to enter'],
	options: 'Options:',
	required: 'Required.',
	/** Joins the last of several names to those before. */
	or: ' or ',
	comma: ', ',
	stop: '.',
	colon: ': ',
	joiner: ' ',
	beginning: (names: string) => `For ${names}.`,
	whileOff: (label: string) => `While _${label}_ is off.`,
	beside: (label: string) => `Beside _${label}_.`,
	fromList: (label: string) => `While _${label}_ is chosen from the list.`,
	asIn: (link: string) => `As in ${link}.`,
	/** What a field holds as long as nobody changes it. */
	isDefault: (values: string) => `Default: ${values}.`,
	on: 'On by default.',
	off: 'Off by default.',
	also: (links: string[]) => `Also the ${joinNames(links, ', ', ' and ')}.`,
	/** How a heading begins, and what a link to it says. */
	toHeading: (title: string) => title,
	linkText: (heading: string) => heading.replace('Options', 'options'),
	/** The words of a form in this language. */
	translate: (_field: string, text: string) => text,
	/** A choice that is not explained. */
	nameChoice: (_field: string, name: string) => `_${name}_`,
	/** A link of a form to one of the documents. */
	learnMore: / ?<a href="[^"]*\/docs\/([\w#.-]+)"[^>]*>Learn more<\/a>\.$/,
	more: ' [More]($1).',
	/** What the document adds to the words of a field. */
	added: ADDED,
	/** The cells between the label of a field and the service's field. */
	extraCells: (() => []) as (property: INodeProperties) => string[],
};

export type Language = typeof ENGLISH;

export const CHINESE: Language = {
	head: ['表单字段', '中文名', '平台参数', '怎么填'],
	options: 'Options（选项）：',
	required: '必填。',
	or: ' 或 ',
	comma: '、',
	stop: '。',
	colon: '：',
	joiner: '',
	beginning: (names) => `选 ${names} 时显示。`,
	whileOff: (label) => `_${label}_ 关闭时显示。`,
	beside: (label) => `加了 _${label}_ 才显示。`,
	fromList: (label) => `_${label}_ 从列表里选时显示。`,
	asIn: (link) => `同${link}。`,
	isDefault: (values) => `默认 ${values}。`,
	on: '默认打开。',
	off: '默认关闭。',
	also: (links) => `另见${joinNames(links, '、', '和')}。`,
	toHeading: (title) => CHINESE_HEADINGS[title] ?? title.replace(': ', '：'),
	linkText: (heading) => /（(.*)）/.exec(heading)?.[1] ?? heading,
	translate: toChinese,
	nameChoice: (field, name) => {
		const chinese = toChinese(field, name);
		return chinese === name ? `_${name}_` : `_${name}_（${chinese}）`;
	},
	learnMore: /<a href="[^"]*\/docs\/zh-CN\/([\w#.-]+)"[^>]*>详情<\/a>$/,
	more: '见[详情]($1)。',
	added: CHINESE_ADDED,
	extraCells: ({ name, displayName }) => [toChinese(name, displayName)],
};

/** Headings that are not those of the forms. */
const CHINESE_HEADINGS: Record<string, string> = {
	'Options of calls and SMS': '呼叫和短信的选项',
	'Options of pace': '频率选项',
	'Options of every request': '所有请求的选项',
	Credential: '凭证',
};

function joinNames(names: string[], comma: string, last: string): string {
	if (names.length <= 1) return names.join('');
	return [names.slice(0, -1).join(comma), names.at(-1)].join(last);
}

const endSentence = (text: string, { stop }: Language) =>
	text.endsWith(stop) || text.endsWith('…') ? text : `${text}${stop}`;

/** The description of the form as Markdown, without the name that another column has. */
function describeField(
	{ name, description = '' }: INodeProperties,
	serviceField: string,
	language: Language,
): string {
	const text = language
		.translate(name, description)
		.replace(` (${serviceField})`, '')
		.replace(language.learnMore, language.more)
		.replaceAll('*', '\\*');
	return endSentence(text, language);
}

function describeChoices(property: INodeProperties, language: Language): string {
	const choices = getChoices(property);
	const { name: field } = property;
	if (choices.every(({ description }) => description === undefined)) {
		const names = choices.map(({ name }) => language.nameChoice(field, name));
		return names.length === 0 ? '' : endSentence(names.join(language.comma), language);
	}
	const sentences = choices.map(({ name, description = name }) => {
		const words = language.translate(field, description);
		return words === name ? `_${name}_` : `_${name}_${language.colon}${words}`;
	});
	return sentences.map((text) => endSentence(text, language)).join(language.joiner);
}

/** When the form shows a field, for the user; empty if it always does. */
function describeCondition(
	{ displayOptions: { show = {} } = {} }: INodeProperties,
	all: readonly INodeProperties[],
	language: Language,
): string {
	const isOwn = (key: string) => key !== 'resource' && key !== 'operation' && !key.startsWith('@');
	const sentences = Object.entries(show).map(([key, values = []]) => {
		if (!isOwn(key)) return '';
		const [name, part] = key.replace('/', '').split('.');
		const field = all.find((each) => each.name === name);
		const label = field?.displayName ?? name;
		if (part === 'mode') return language.fromList(label);
		if (values.includes(false)) return language.whileOff(label);
		if (typeof values[0] === 'object') return language.beside(label);
		const names = getChoices(field ?? ({} as INodeProperties))
			.filter(({ value }) => values.includes(value))
			.map((choice) => `_${choice.name}_`);
		return language.beginning(joinNames(names, language.comma, language.or));
	});
	return sentences.filter(Boolean).join(language.joiner);
}

/** Fields whose default holds only once the option is added. */
const WITHOUT_DEFAULT = ['dryRun', 'limits'];

/** What a field holds as long as nobody changes it; empty if that is nothing. */
function describeDefault(property: INodeProperties, language: Language): string {
	const { name, default: initial } = property;
	if (WITHOUT_DEFAULT.includes(name)) return '';
	if (typeof initial === 'boolean') return initial ? language.on : language.off;
	const values = (Array.isArray(initial) ? initial : [initial])
		.filter((value) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
		.map((value) => {
			const choice = getChoices(property).find((each) => each.value === value);
			return choice === undefined ? `\`${value}\`` : `_${choice.name}_`;
		});
	return values.length === 0 ? '' : language.isDefault(values.join(language.comma));
}

/** A field by all that its description says, so that what several forms share is told once. */
const toSubstance = ({ displayName, description, options, typeOptions }: INodeProperties) =>
	inspect([displayName, description, options, typeOptions], { depth: Infinity });

const START = /<!-- fields of (.+) -->/;
const END = '<!-- end of fields -->';

/** The names of the chapters that a document has tables of, in its order. */
export const listChapters = (text: string): string[] =>
	[...text.matchAll(new RegExp(START, 'g'))].map(([, name]) => name);

/** Where a field is described. */
interface Place {
	chapter: string;
	default: string;
}

/** Writes the tables of a document; what one has described the next ones link to. */
class TableWriter {
	private readonly places = new Map<string, Place>();
	private readonly titles: string[];

	constructor(
		text: string,
		private readonly language: Language,
	) {
		this.titles = headings(text).map(({ title }) => title);
	}

	/** What stands between the marks of a chapter. */
	write(name: string): string {
		const chapter = CHAPTERS.find((each) => each.name === name);
		if (chapter === undefined) throw new Error(`There is no form ${name}`);
		const { fields, options, shared } = chapter;
		const { language } = this;
		const groups = shared.map((group) => this.linkTo(group));
		const parts = [
			this.toTable(chapter, fields),
			options.length > 0 ? `${language.options}\n` : '',
			this.toTable(chapter, options),
			groups.length > 0 ? `${language.also(groups)}\n` : '',
		];
		return parts.filter(Boolean).join('\n');
	}

	private linkTo(chapter: string): string {
		const begin = this.language.toHeading(getTitle(chapter));
		const heading = this.titles.find((each) => each.startsWith(begin)) ?? begin;
		return `[${this.language.linkText(heading)}](#${anchor(heading)})`;
	}

	private toTable(chapter: Chapter, properties: INodeProperties[]): string {
		if (properties.length === 0) return '';
		const { head } = this.language;
		const rows = properties.map((property) => this.toRow(chapter, property));
		return [head, head.map(() => '---'), ...rows]
			.map((cells) => `| ${cells.join(' | ')} |\n`)
			.join('');
	}

	private toRow(chapter: Chapter, property: INodeProperties): string[] {
		const { language } = this;
		const serviceField = getServiceField(chapter, property);
		const initial = describeDefault(property, language);
		const substance = toSubstance(property);
		const known = this.places.get(substance);
		if (!known) this.places.set(substance, { chapter: chapter.name, default: initial });
		const words = known
			? [language.asIn(this.linkTo(known.chapter))]
			: [describeField(property, serviceField, language), describeChoices(property, language)];
		const parts = [
			property.required ? language.required : '',
			describeCondition(property, [...chapter.fields, ...chapter.options], language),
			...words,
			language.added[`${chapter.name} ${property.name}`] ?? '',
			known?.default === initial ? '' : initial,
		];
		return [
			property.displayName,
			...language.extraCells(property),
			serviceField === '' ? '—' : `\`${serviceField}\``,
			parts.filter(Boolean).join(language.joiner),
		];
	}
}

/** A document with the tables of the forms between its marks. */
export function withTables(text: string, language: Language): string {
	const writer = new TableWriter(text, language);
	return text.replace(
		new RegExp(`${START.source}\\n[^]*?${END}`, 'g'),
		(_block, name: string) => `<!-- fields of ${name} -->\n\n${writer.write(name)}\n${END}`,
	);
}

/** The heading of a chapter in English. */
function getTitle(chapter: string): string {
	const form = FORMS.find(({ operation }) => operation === chapter);
	return form?.title ?? chapter.charAt(0).toUpperCase() + chapter.slice(1);
}

/** A document as it is however wide its tables are drawn. */
export const ignoreWidths = (text: string): string =>
	text.replace(/^\|.*\|$/gm, (row) =>
		row.replace(/ +\|/g, ' |').replace(/\| +/g, '| ').replace(/-{3,}/g, '---'),
	);

/** State of an application; one that is not live reaches registered numbers only. */
export type ApplicationState = 'live' | 'notLive';

/** A message template (specification 2.6). */
export interface Template {
	readonly templateId: string;
	readonly title: string;
	/** The text, with its numbered placeholders. */
	readonly content: string;
	/** How many numbered placeholders the text has. */
	readonly variables: number;
	/** Whether it is approved: no other can be sent (service facts). */
	readonly isApproved: boolean;
	/** The platform's test template: numeric variables and registered numbers only. */
	readonly isTest: boolean;
	/** The only application that may use it; any application if absent. */
	readonly appId?: string;
}

/** 32 letters and digits that start with a word, so that a made-up id explains itself. */
const madeUp = (word: string): string => word.padEnd(32, '0').slice(0, 32);

/** The made-up id of the application in a state. */
const applicationId = (state: ApplicationState): string => madeUp(`appdefault${state}`);

/** The state of an application; undefined for one that the account does not have. */
export const findApplicationState = (appId: string): ApplicationState | undefined =>
	(['live', 'notLive'] as const).find((state) => applicationId(state) === appId);

/** Registered test numbers, the only ones that applications not live can reach. */
export const isRegisteredNumber = (number: string): boolean => /^1380000000\d$/.test(number);

/** What a client needs to use the account, with its live application. */
export const CREDENTIALS = {
	accountSid: madeUp('siddefault'),
	authToken: madeUp('tokendefault'),
	appId: applicationId('live'),
} as const;

/** What the service tells of the account (specification 2.4). */
export const ACCOUNT_INFO = {
	friendlyName: 'default@example.com',
	type: '1',
	status: '1',
	dateCreated: '2024-01-15 10:30:00',
	dateUpdated: '2025-06-01 14:05:09',
	balance: '1024.50',
	subBalance: '12.00',
} as const;

const template = (
	templateId: string,
	title: string,
	content: string,
	variables: number,
): Template => ({ templateId, title, content, variables, isApproved: true, isTest: false });

/** The templates of the account. */
export const TEMPLATES: readonly Template[] = [
	{
		...template('1', '测试模板', '【云通讯】您的验证码是{1}，请于{2}分钟内正确输入', 2),
		isTest: true,
	},
	template('100002', 'Verification code', '您的验证码是{1}，{2}分钟内有效。', 2),
	template('100000', '欢迎', '欢迎使用我们的服务。', 0),
	template('100001', 'Order shipped', 'Your order {1} has left; track it with {1}.', 1),
	{ ...template('100200', '其他应用', '{1}', 1), appId: applicationId('notLive') },
	{ ...template('100300', 'Under review', 'Not approved yet: {1}', 1), isApproved: false },
];

/** State of an application; one that is not live reaches registered numbers only. */
export type ApplicationState = 'live' | 'notLive';

/** An application under a main account (specification 2.6). */
export interface Application {
	readonly appId: string;
	readonly state: ApplicationState;
}

/** A message template (specification 2.6). */
export interface Template {
	readonly templateId: string;
	readonly title: string;
	/** The text, with its numbered placeholders. */
	readonly content: string;
	/** `1` approved (service facts); any other cannot be sent. */
	readonly status: string;
	/** How many numbered placeholders the text has. */
	readonly variables: number;
	/** The platform's test template: numeric variables and registered numbers only. */
	readonly isTest: boolean;
	/** The only application that may use it; any application if absent. */
	readonly appId?: string;
}

/** A main account (specification 2.4), and how the service treats it. */
export interface Account {
	readonly accountSid: string;
	readonly authToken: string;
	readonly friendlyName: string;
	/** `0` trial, `1` registered. */
	readonly type: string;
	/** `0` not activated, `1` activated, `2` suspended, `3` closed. */
	readonly status: string;
	readonly balance: string;
	readonly subBalance: string;
	/** Creation and last update, milliseconds since 1970 UTC. */
	readonly dateCreated: number;
	readonly dateUpdated: number;
	readonly applications: readonly Application[];
	readonly templates: readonly Template[];
}

/** The sid, token and application that a client needs to use an account. */
export interface AccountCredentials {
	readonly accountSid: string;
	readonly authToken: string;
	readonly appId: string;
}

/** 32 letters and digits that start with a word, so that a made-up id explains itself. */
const madeUp = (word: string): string => word.padEnd(32, '0').slice(0, 32);

/** The made-up id of the application in a state. */
export const applicationId = (state: ApplicationState): string => madeUp(`appdefault${state}`);

/** Registered test numbers, the only ones that applications not live can reach. */
export const isRegisteredNumber = (number: string): boolean => /^1380000000\d$/.test(number);

const CREATED = Date.UTC(2024, 0, 15, 2, 30, 0);
const UPDATED = Date.UTC(2025, 5, 1, 6, 5, 9);

const template = (
	templateId: string,
	title: string,
	content: string,
	variables: number,
): Template => ({ templateId, title, content, status: '1', variables, isTest: false });

/** The account of the simulator. */
export const createAccount = (): Account => ({
	accountSid: madeUp('siddefault'),
	authToken: madeUp('tokendefault'),
	friendlyName: 'default@example.com',
	type: '1',
	status: '1',
	balance: '1024.50',
	subBalance: '12.00',
	dateCreated: CREATED,
	dateUpdated: UPDATED,
	applications: (['live', 'notLive'] as const).map((state) => ({
		appId: applicationId(state),
		state,
	})),
	templates: [
		{
			...template('1', '测试模板', '【云通讯】您的验证码是{1}，请于{2}分钟内正确输入', 2),
			isTest: true,
		},
		template('100002', 'Verification code', '您的验证码是{1}，{2}分钟内有效。', 2),
		template('100000', '欢迎', '欢迎使用我们的服务。', 0),
		template('100001', 'Order shipped', 'Your order {1} has left; track it with {1}.', 1),
		{ ...template('100200', '其他应用', '{1}', 1), appId: applicationId('notLive') },
		{ ...template('100300', 'Under review', 'Not approved yet: {1}', 1), status: '0' },
	],
});

/** What a client needs to use an account, with its live or else its first application. */
export function getCredentials(account: Account): AccountCredentials {
	const usable = account.applications.find(({ state }) => state === 'live');
	return {
		accountSid: account.accountSid,
		authToken: account.authToken,
		appId: (usable ?? account.applications[0])?.appId ?? '',
	};
}

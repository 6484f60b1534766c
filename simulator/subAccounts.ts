import { CREDENTIALS } from './accounts';
import { spacedTime } from './clock';
import { makeSecret, makeVoipAccount, makeVoipPassword } from './ids';

/** A sub-account (specification 2.5). */
export interface SubAccount {
	readonly subAccountSid: string;
	readonly subToken: string;
	readonly friendlyName: string;
	/** Creation time, `yyyy-MM-dd HH:mm:ss`. */
	readonly dateCreated: string;
	readonly voipAccount: string;
	readonly voipPwd: string;
	readonly appId: string;
	isClosed: boolean;
}

/** A new sub-account of an application, created now (milliseconds since 1970 UTC). */
export const makeSubAccount = (appId: string, friendlyName: string, now: number): SubAccount => ({
	subAccountSid: makeSecret(),
	subToken: makeSecret(),
	friendlyName,
	dateCreated: spacedTime(now),
	voipAccount: makeVoipAccount(),
	voipPwd: makeVoipPassword(),
	appId,
	isClosed: false,
});

const SEED_NAMES = ['客服中心', '北京分公司', '李雷', 'warehouse@example.com', 'agent'];

/** Sub-accounts of the live application that have names of several kinds, some of them Chinese. */
export const seedSubAccounts = (count: number, now: number): SubAccount[] =>
	Array.from({ length: count }, (_, at) => {
		const name = `${SEED_NAMES[(at + 1) % SEED_NAMES.length]}${String(at + 1).padStart(4, '0')}`;
		return makeSubAccount(CREDENTIALS.appId, name, now);
	});

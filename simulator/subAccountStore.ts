import { spacedTime } from './clock';
import type { IdMaker } from './ids';

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
	readonly closed: boolean;
}

/** The sub-accounts of one main account. Names are unique over all of its applications. */
export interface SubAccountStore {
	/** Creates one; undefined if the name is taken, even by a closed sub-account. */
	create(appId: string, friendlyName: string): SubAccount | undefined;
	byName(appId: string, friendlyName: string): SubAccount | undefined;
	bySid(subAccountSid: string): SubAccount | undefined;
	/** The open sub-accounts of an application, oldest first. */
	list(appId: string): readonly SubAccount[];
	close(subAccountSid: string): void;
}

/**
 * An empty store.
 * @param ids makes the identifiers and secrets
 * @param now the moment, milliseconds since 1970 UTC
 */
export function createSubAccountStore(ids: IdMaker, now: () => number): SubAccountStore {
	const byName = new Map<string, SubAccount>();
	const bySid = new Map<string, SubAccount>();
	const put = (subAccount: SubAccount): SubAccount => {
		byName.set(subAccount.friendlyName, subAccount);
		bySid.set(subAccount.subAccountSid, subAccount);
		return subAccount;
	};
	return {
		create: (appId, friendlyName) =>
			byName.has(friendlyName)
				? undefined
				: put({
						subAccountSid: ids.secret(),
						subToken: ids.secret(),
						friendlyName,
						dateCreated: spacedTime(now()),
						voipAccount: ids.voipAccount(),
						voipPwd: ids.voipPassword(),
						appId,
						closed: false,
					}),
		byName: (appId, friendlyName) => {
			const found = byName.get(friendlyName);
			return found?.appId === appId ? found : undefined;
		},
		bySid: (subAccountSid) => bySid.get(subAccountSid),
		list: (appId) => [...bySid.values()].filter((one) => one.appId === appId && !one.closed),
		close: (subAccountSid) => {
			const found = bySid.get(subAccountSid);
			if (found) put({ ...found, closed: true });
		},
	};
}

const SEED_NAMES = ['客服中心', '北京分公司', '李雷', 'warehouse@example.com', 'agent'];

/**
 * Fills a store with sub-accounts that have names of several kinds, some of them Chinese.
 * @param count how many
 * @returns their ids, oldest first
 */
export function seedSubAccounts(store: SubAccountStore, appId: string, count: number): string[] {
	const made: string[] = [];
	for (let index = 1; made.length < count; index++) {
		const name = `${SEED_NAMES[index % SEED_NAMES.length]}${String(index).padStart(4, '0')}`;
		const created = store.create(appId, name);
		if (created) made.push(created.subAccountSid);
	}
	return made;
}

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
export class SubAccountStore {
	private readonly named = new Map<string, SubAccount>();
	private readonly all = new Map<string, SubAccount>();

	/**
	 * An empty store.
	 * @param ids makes the identifiers and secrets
	 * @param now the moment, milliseconds since 1970 UTC
	 */
	constructor(
		private readonly ids: IdMaker,
		private readonly now: () => number,
	) {}

	/** Creates one; undefined if the name is taken, even by a closed sub-account. */
	create(appId: string, friendlyName: string): SubAccount | undefined {
		if (this.named.has(friendlyName)) return undefined;
		return this.put({
			subAccountSid: this.ids.secret(),
			subToken: this.ids.secret(),
			friendlyName,
			dateCreated: spacedTime(this.now()),
			voipAccount: this.ids.voipAccount(),
			voipPwd: this.ids.voipPassword(),
			appId,
			closed: false,
		});
	}

	byName(appId: string, friendlyName: string): SubAccount | undefined {
		const found = this.named.get(friendlyName);
		return found?.appId === appId ? found : undefined;
	}

	bySid(subAccountSid: string): SubAccount | undefined {
		return this.all.get(subAccountSid);
	}

	/** The open sub-accounts of an application, oldest first. */
	list(appId: string): readonly SubAccount[] {
		return [...this.all.values()].filter((one) => one.appId === appId && !one.closed);
	}

	close(subAccountSid: string): void {
		const found = this.bySid(subAccountSid);
		if (found) this.put({ ...found, closed: true });
	}

	private put(subAccount: SubAccount): SubAccount {
		this.named.set(subAccount.friendlyName, subAccount);
		this.all.set(subAccount.subAccountSid, subAccount);
		return subAccount;
	}
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

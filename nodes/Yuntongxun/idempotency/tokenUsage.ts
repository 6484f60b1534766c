import type { IExecuteFunctions } from 'n8n-workflow';

import { KeyStore } from './keyStore';
import { quotaOf } from './quotas';

/** How often a token is good. */
const MAX_USES = 1;

/** What the node that runs remembers of verification tokens, in n8n's database. */
export class StoredTokenUsage extends KeyStore {
	constructor(context: IExecuteFunctions) {
		super(context, 'this attempt, so the code was not checked');
	}

	/** Takes one of the attempts of a token; see `TokenUsage` in `operation/tokenUsage.ts`. */
	async takeAttempt(id: string, max: number): Promise<number | undefined> {
		const slot = await quotaOf(this.node, `attempt of ${id}`).take(this, max);
		return slot?.position;
	}

	/** Uses a token; see there. */
	async redeem(id: string): Promise<boolean> {
		const slot = await quotaOf(this.node, `use of ${id}`).take(this, MAX_USES);
		return slot !== undefined;
	}
}

import type {
	Judgement,
	TokenRecord,
	TokenRecords,
} from '../../../nodes/Yuntongxun/execution/tokenRecords';

/** For operations that have nothing to do with verification tokens. */
export const NO_TOKENS: TokenRecords = {
	judge: async () => {
		throw new Error('No verification token was expected');
	},
};

/** Remembers tokens as long as it lives. @param size most tokens that it can remember */
export class TokensInMemory implements TokenRecords {
	readonly records = new Map<string, TokenRecord>();

	constructor(private readonly size = Infinity) {}

	async judge<Verdict>(
		{ id }: { id: string },
		judge: (record: TokenRecord) => Judgement<Verdict>,
	): Promise<Verdict | undefined> {
		const { verdict, record } = judge(this.records.get(id) ?? { used: false, wrong: 0 });
		if (record === undefined) return verdict;
		if (!this.records.has(id) && this.records.size >= this.size) return undefined;
		this.records.set(id, record);
		return verdict;
	}
}

import type { IExecuteFunctions } from 'n8n-workflow';

import { StoreFull } from './lastingClaims';
import type { LastingClaims } from './lastingClaims';
import { NotBegun } from './notBegun';

/** What a node remembers of a verification token. */
export interface TokenRecord {
	used: boolean;
	/** Wrong codes so far. */
	wrong: number;
}

/** What a check comes to, and the record to keep before anybody learns it; none if it is as before. */
export interface Judgement<Verdict> {
	verdict: Verdict;
	record?: TokenRecord;
}

/** Judges a check by the record of its token. */
export type Judge<Verdict> = (record: TokenRecord) => Judgement<Verdict>;

/** A token, as far as its record needs it. */
export interface RememberedToken {
	/** Different for each token. */
	id: string;
	/** Wrong codes that its record can count. */
	places: number;
}

/** What a node remembers of verification tokens. */
export interface TokenRecords {
	/**
	 * Judges one check of a token, and keeps its new record before the verdict is out. Checks of one
	 * token in one process take turns.
	 *
	 * @param judge is given the record as it is now; may be asked again if another worker changes it
	 * @returns the verdict; undefined if there is no room to keep the record
	 * @throws NotBegun if n8n could not read or keep the record
	 */
	judge<Verdict>(token: RememberedToken, judge: Judge<Verdict>): Promise<Verdict | undefined>;
}

/** Names in n8n's database that are taken or free. */
export interface NameStore {
	/** Whether the name was free; it is taken now. @throws StoreFull */
	claim(name: string): Promise<boolean>;
	/** Whether the name is taken. */
	has(name: string): Promise<boolean>;
}

/** The last check of each token that this process is checking, by node and token. */
const turns = new Map<string, Promise<unknown>>();

/** Records that permit no further code, by node and token; the oldest are dropped first. */
const closed = new Map<string, TokenRecord>();
const MOST_CLOSED = 10_000;

/**
 * Keeps the records of tokens as names in n8n's database: one for a used token, one for each wrong
 * code. Names are only ever added, so a record can only grow.
 */
export class StoredTokenRecords implements TokenRecords {
	/** @param node name of the node; each node has its own records */
	constructor(
		private readonly names: NameStore,
		private readonly node: string,
	) {}

	async judge<Verdict>(
		token: RememberedToken,
		judge: Judge<Verdict>,
	): Promise<Verdict | undefined> {
		const key = `${this.node}/${token.id}`;
		return await inTurn(key, async () => {
			const known = closed.get(key);
			const judgement = known && judge(known);
			if (judgement && judgement.record === undefined) return judgement.verdict;
			return await this.judgeStored(key, token, judge).catch((thrown: unknown) => {
				if (thrown instanceof StoreFull) return undefined;
				throw notKept(thrown);
			});
		});
	}

	private async judgeStored<Verdict>(
		key: string,
		token: RememberedToken,
		judge: Judge<Verdict>,
	): Promise<Verdict> {
		for (;;) {
			const before = await this.read(token);
			const { verdict, record } = judge(before);
			if (record === undefined) {
				close(key, before);
				return verdict;
			}
			const name = record.used ? usedName(token.id) : wrongName(token.id, record.wrong);
			// If another worker claimed the name first, the record has changed.
			if (await this.names.claim(name)) return verdict;
		}
	}

	/** Asks for all names at once, so that n8n looks into its database once. */
	private async read({ id, places }: RememberedToken): Promise<TokenRecord> {
		const wrongNames = Array.from({ length: places }, (_, at) => wrongName(id, at + 1));
		const [used, ...wrong] = await Promise.all(
			[usedName(id), ...wrongNames].map(async (name) => await this.names.has(name)),
		);
		return { used, wrong: wrong.filter((isTaken) => isTaken).length };
	}
}

const usedName = (id: string) => `used/${id}`;
const wrongName = (id: string, number: number) => `wrong/${id}/${number}`;

async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
	const turn = (turns.get(key) ?? Promise.resolve()).then(work);
	const over = turn.catch(() => undefined);
	turns.set(key, over);
	try {
		return await turn;
	} finally {
		if (turns.get(key) === over) turns.delete(key);
	}
}

function notKept(thrown: unknown): NotBegun {
	const cause = thrown instanceof NotBegun && thrown.cause ? thrown.cause : thrown;
	const words = cause instanceof Error ? cause.message : String(cause);
	return new NotBegun(
		`n8n did not keep what becomes of this token, so its code was not checked. Its own words: ${words}`,
		{ cause },
	);
}

function close(key: string, record: TokenRecord): void {
	closed.delete(key);
	closed.set(key, record);
	for (const oldest of closed.keys()) {
		if (closed.size <= MOST_CLOSED) break;
		closed.delete(oldest);
	}
}

/** What the node of this run remembers, in n8n's database. */
export function tokenRecordsOf(context: IExecuteFunctions, claims: LastingClaims): TokenRecords {
	return new StoredTokenRecords(claims, `${context.getWorkflow().id}/${context.getNode().id}`);
}

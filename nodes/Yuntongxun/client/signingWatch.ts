import { randomUUID } from 'crypto';

/** The member of a request's options that names it until it is signed. Survives any copy. */
export const MARK = 'yuntongxunRequest';

/** A request that its sender has given up must not leave any more. */
class GivenUp extends Error {
	constructor() {
		super('The node has given up this request, so it was not signed');
	}
}

/**
 * Tells which requests were signed. n8n reads the credential from its database for each of them, and
 * if that fails nothing leaves: what was never signed was never sent. Trusted only once a mark has
 * arrived here: then n8n passes them on, and a missing one means something.
 */
class SigningWatch {
	/** Tells the marks of this copy of the package from those of another, as after an update. */
	private readonly prefix = `${randomUUID()} `;

	private count = 0;

	private hasSeenMark = false;

	/** The requests under way: whether each was signed. */
	private readonly requests = new Map<string, boolean>();

	/** Begins to watch a request. @returns its mark */
	begin(): string {
		this.count += 1;
		const mark = `${this.prefix}${this.count}`;
		this.requests.set(mark, false);
		return mark;
	}

	/** Notes that a request is being signed. @throws GivenUp if nobody waits for it any more */
	noteSigned(mark: unknown): void {
		if (typeof mark !== 'string' || !mark.startsWith(this.prefix)) return;
		this.hasSeenMark = true;
		if (!this.requests.has(mark)) throw new GivenUp();
		this.requests.set(mark, true);
	}

	/** Ends the watch: from now on the request is not signed. @returns whether it certainly never was */
	end(mark: string): boolean {
		const isSigned = this.requests.get(mark) === true;
		this.requests.delete(mark);
		return this.hasSeenMark && !isSigned;
	}
}

/** The requests of this process. */
export const signingWatch = new SigningWatch();

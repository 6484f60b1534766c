import type { Endpoint } from '../../nodes/Yuntongxun/client/client';
import type { Simulator } from '../simulator';
import { ask, type Asked } from './ask';
import { comparisonOf } from './compare';
import type { LiveCredential } from './settings';
import type { Format, Shape } from './shape';

/** One of the two that are asked. */
export interface Side {
	readonly isLive: boolean;
	readonly credential: LiveCredential;
}

/** A request that both are sent. */
export interface Question {
	readonly title: string;
	readonly format: Format;
	readonly endpoint: Endpoint;
	/** The fields of the body, which may differ in their values. */
	fields(side: Side): Record<string, string>;
	/** Called between the two, to bring the simulator into the same state. */
	prepare?(live: Asked): void;
}

/** Asks the live service and the simulator the same, and tells where their answers differ. */
export interface SideBySide {
	/** @returns the answer of the live service */
	ask(question: Question): Promise<Asked>;
	compare(title: string, live: Shape, simulated: Shape): void;
	/** Tells why something could not be compared. */
	fail(title: string, words: string): void;
	/** Titles of what differed or failed. */
	different(): readonly string[];
}

const READ_AS = '(read by the package as)';

const withVerdict = ({ shape, verdict }: Asked): Shape => new Map([...shape, [READ_AS, verdict]]);

/** @param tell shows lines; it is never given a value of an answer */
export function createSideBySide(
	credential: LiveCredential,
	simulator: Simulator,
	tell: (text: string) => void,
): SideBySide {
	const live: Side = { isLive: true, credential };
	const simulated: Side = {
		isLive: false,
		credential: { ...simulator.credentials, baseUrl: simulator.url },
	};
	const different: string[] = [];
	const compare = (title: string, one: Shape, other: Shape): void => {
		const { isSame, text } = comparisonOf(title, one, other);
		if (!isSame) different.push(title);
		tell(text);
	};
	return {
		ask: async ({ title, format, endpoint, fields, prepare }) => {
			const answer = await ask(live.credential, format, endpoint, fields(live));
			prepare?.(answer);
			const other = await ask(simulated.credential, format, endpoint, fields(simulated));
			const name = `${title}, ${format.toUpperCase()}`;
			compare(name, withVerdict(answer), withVerdict(other));
			return answer;
		},
		compare,
		fail: (title, words) => {
			different.push(title);
			tell(words);
		},
		different: () => different,
	};
}

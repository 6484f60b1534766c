import { gzipSync } from 'node:zlib';
import type { WrittenAnswer } from './answers';
import type { Format } from './envelope';

/** What can happen to a real answer on its way, by name. */
const ALTERATIONS = {
	compressed: (body: string) => gzipSync(body),
	half: (body: string) => body.slice(0, body.length / 2),
	/** Only the status code, without the result of the operation. */
	statusAlone: (body: string, format: Format) => {
		const [code] = /(?<=statusCode[">:]+)\d+/.exec(body) ?? [''];
		return format === 'json'
			? `{"statusCode":"${code}"}`
			: `<Response><statusCode>${code}</statusCode></Response>`;
	},
};

export type Alteration = keyof typeof ALTERATIONS;

/** A real answer, altered. */
export const altered = ({ body }: WrittenAnswer, format: Format, name: Alteration): Buffer =>
	Buffer.from(ALTERATIONS[name](body, format));

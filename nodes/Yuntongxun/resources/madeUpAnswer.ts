import type { Answer } from '../client/request';
import { formatServiceTimestamp } from '../util/serviceTime';

/** How long a rehearsed call takes if somebody answers, in seconds. */
export const REHEARSED_SECONDS = '12';

/** The answer to an accepted call, or to the question how it ended. Specification section 4. */
export const answerCall = (id: string): Answer =>
	buildAnswer({
		callSid: id,
		orderid: id,
		dateCreated: getNow().replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3 $4:$5:$6'),
		state: '0',
		callTime: REHEARSED_SECONDS,
	});

/** The answer to an accepted SMS. Specification section 4.3. */
export const answerSms = (id: string): Answer =>
	buildAnswer({ smsMessageSid: id, dateCreated: getNow() });

const getNow = () => formatServiceTimestamp(new Date());

function buildAnswer(fields: Readonly<Record<string, string>>): Answer {
	const texts = new Map(Object.entries({ statusCode: '000000', ...fields }));
	return { statusCode: '000000', text: (name) => texts.get(name) ?? '', records: [] };
}

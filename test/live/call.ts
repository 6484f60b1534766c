import { parseNotification } from '../../nodes/Yuntongxun/callResult/notification';
import type { Endpoint } from '../../nodes/Yuntongxun/client/client';
import type { Person } from './live';
import { openReceiver, type Arrived, type Receiver } from './receiver';
import type { LiveCall } from './settings';
import { shapeOf, type Shape } from './shape';
import type { SideBySide } from './sideBySide';

const TITLE = 'A voice notification call';
const RESULT = 'The result of the call';
const SPOKEN = '这是一个测试电话。This is a test call.';
const USER_DATA = 'n8n-nodes-yuntongxun';
/** Of the simulator, whose calls to it are answered. */
const SIMULATED_NUMBER = '13800000000';

const masked = (number: string): string => number.replace(/(?<=^.{3}).*(?=.{4}$)/, '****');

function shapeOfResult({ contentType, body }: Arrived): Shape {
	const text = body.toString('utf8');
	return new Map([
		['(Content-Type)', contentType],
		...shapeOf(text, text.trimStart().startsWith('{') ? 'json' : 'xml'),
		['(read by the package as)', parseNotification(body)?.event ?? 'not a notification'],
	]);
}

/**
 * Makes one voice notification call and waits for its result, once it is certain that the result
 * can arrive and the person agrees to the cost.
 *
 * @throws Error with code EADDRINUSE if the port to listen on is taken
 */
export async function compareCall(
	call: LiveCall,
	endpoint: Endpoint,
	both: SideBySide,
	person: Person,
): Promise<void> {
	const receiver = await openReceiver(call.listen.host, call.listen.port);
	try {
		await callAndWait(call, endpoint, both, person, receiver);
	} finally {
		await receiver.close();
	}
}

async function callAndWait(
	{ to, resultUrl, waitMs, isConfirmed }: LiveCall,
	endpoint: Endpoint,
	both: SideBySide,
	person: Person,
	receiver: Receiver,
): Promise<void> {
	const expected = receiver.mailbox(resultUrl);
	const simulated = receiver.mailbox();
	if (!(await expected.isReachable())) {
		const words = `No call was made: a request to --result-url does not arrive at port ${receiver.port} of this machine.`;
		return both.fail(TITLE, words);
	}
	person.tell(
		`\nThis makes one voice notification call to ${masked(to)} that speaks some seconds. The account pays for it at its own price: see the Yuntongxun console. A trial account reaches registered numbers only.`,
	);
	if (!isConfirmed && !(await person.agrees('Make the call?'))) {
		return both.fail(TITLE, 'No call was made.');
	}
	const { verdict } = await both.ask({
		title: TITLE,
		format: 'json',
		endpoint,
		fields: ({ isLive, credential: { appId } }) => ({
			appId,
			to: isLive ? to : SIMULATED_NUMBER,
			mediaTxt: SPOKEN,
			respUrl: isLive ? expected.url : simulated.url,
			userData: USER_DATA,
		}),
	});
	if (verdict !== 'success') return;
	person.tell('\nWaiting for the result of the call.');
	const [live, other] = await Promise.all([expected.result(waitMs), simulated.result(waitMs)]);
	if (!live) return both.fail(RESULT, 'No result arrived in time.');
	if (!other) return both.fail(RESULT, 'No result arrived from the simulator.');
	both.compare(RESULT, shapeOfResult(live), shapeOfResult(other));
}

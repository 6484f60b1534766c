import { runTrigger } from '../support/engine/webhook';
import { PUSHES, readPush } from '../support/pushes';

/*
 * A selection of what others push, through n8n's own webhook context: test/unit/corpus has them all
 */

const EVENTS = ['voiceVerification', 'voiceNotification', 'smsReport', 'smsReply', 'other'];
const SELECTED = [
	'call-notify-doc.xml',
	'call-raw-ampersand.xml',
	'call-raw-newline.json',
	'call-list.xml',
	'call-gbk.xml',
	'sms-report-lsys-spcode.json',
	'sms-report-list.json',
	'sms-reply-forged-member.xml',
	'auth-callauth-in-list.json',
	'tencent-report-list.json',
	'huawei-form.txt',
];

it.each(SELECTED)('%s starts the trigger, or is refused, as its table says', async (file) => {
	const push = PUSHES.find((each) => each.file === file);
	if (!push) throw new Error('There is no such file');
	const { contentType, read, refused = 200 } = push;
	const parameters = { events: EVENTS, options: {} };
	const { answer, items } = await runTrigger({ body: readPush(push), contentType, parameters });
	expect([answer.status, items?.length]).toEqual([refused, read?.length]);
	read?.forEach((fields, at) => expect(items?.[at].json).toMatchObject(fields));
});

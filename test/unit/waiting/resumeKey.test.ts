import {
	buildResumeUrl,
	buildWaitUrl,
	createWaitId,
	getExecutionId,
	getWaitId,
	toResumeKey,
	unpackResumeKey,
} from '../../../nodes/Yuntongxun/waiting/resumeKey';
import { openUrl } from '../../support/sealing';

const ACCOUNT = { accountSid: 'made-up', authToken: 'made-up-token' };
const BASE = 'http://n8n.internal:5678/webhook-waiting';
const PATH = 'webhook/3f6f5d58-8f2c-4f43-9a10-6e4ce1f2a001/yuntongxun';
const WAIT = 'MDEyMzQ1Njc4OWFiY2RlZg';
const N8N_TOKEN = 'ab'.repeat(32);
const EXPIRES = 1_800_000_000;

it.each([
	[`${BASE}/231`, `${BASE}/231/yuntongxun-result?ytWait=${WAIT}`],
	[
		`${BASE}/231?signature=${N8N_TOKEN}`,
		`${BASE}/231/yuntongxun-result?signature=${N8N_TOKEN}&ytWait=${WAIT}`,
	],
	[`${BASE}/231?a=1%202`, `${BASE}/231/yuntongxun-result?a=1%202&ytWait=${WAIT}`],
])('a token carries all that it takes to resume %s', (resumeUrl, address) => {
	const key = toResumeKey(resumeUrl, WAIT);
	const sealed = buildWaitUrl(`https://n8n.example.com/${PATH}`, key, EXPIRES * 1000, ACCOUNT);
	const { payload, ...rest } = openUrl(sealed, ACCOUNT);
	expect(rest).toEqual({ purpose: 'wait', expires: EXPIRES });
	const unpacked = unpackResumeKey(payload);
	expect(getExecutionId(unpacked)).toBe('231');
	expect(buildResumeUrl(BASE, unpacked)).toBe(address);
	expect(getWaitId(address)).toBe(WAIT);
});

it('an address for the service hides it all, and has at most 255 characters', () => {
	const key = toResumeKey(`${BASE}/9876543210?signature=${N8N_TOKEN}`, WAIT);
	const trigger = `https://${'n'.repeat(30)}/${PATH}`;
	const url = buildWaitUrl(trigger, key, EXPIRES * 1000, ACCOUNT);
	expect(url.length).toBeLessThanOrEqual(255);
	expect(url).not.toMatch(/9876543210|abab|signature|MDEy/);
});

it('each wait has its own id, and an address without an id has none', () => {
	expect(createWaitId()).toMatch(/^[\w-]{22}$/);
	expect(createWaitId()).not.toBe(createWaitId());
	expect(getWaitId('/webhook-waiting/7/yuntongxun-result')).toBe('');
});

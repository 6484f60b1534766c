import type { Message } from '../../../../nodes/Yuntongxun/operation/defineOperation';
import { verify } from '../../../../nodes/Yuntongxun/resources/call/verify';
import { formOf } from '../../support/form';
import { answer } from '../../support/messages';

afterEach(() => jest.useRealTimers());

it('the lifetime of a generated code begins with its request, however long the run takes', () => {
	jest.useFakeTimers({ now: Date.parse('2026-01-02T03:00:00Z') });
	const task = verify.prepare(
		formOf({
			to: '13800000000',
			voice: 'default',
			codeSource: 'generate',
			resultDelivery: 'none',
			appId: 'app',
		}),
	) as Message;
	jest.setSystemTime(Date.parse('2026-01-02T03:04:00Z'));
	task.requestFor(['13800000000']);
	jest.setSystemTime(Date.parse('2026-01-02T03:30:00Z'));
	expect(task.outputFor(answer('c1'), ['13800000000']).expiresAt).toBe('2026-01-02T03:14:00.000Z');
});

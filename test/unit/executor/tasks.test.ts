import { StopSignal } from '../../../nodes/Yuntongxun/executor/pace';
import { runTasks } from '../../../nodes/Yuntongxun/executor/tasks';
import type { TaskTools } from '../../../nodes/Yuntongxun/executor/tasks';
import type { Task } from '../../../nodes/Yuntongxun/operation/defineOperation';
import {
	done,
	failure,
	OVERLOAD,
	service,
	showItem,
	SENDING,
	buildTaskItem,
	UNKNOWN,
} from '../../support/messages';
import { recordNothing } from '../../support/tasks';

jest.mock('n8n-workflow', () => jest.requireActual<object>('../../support/withoutPauses'));

const A = '13800000001';

/** Tools of a run that stops at its first failure, but for what is changed. */
function toolsWith(send = service().send, changes: Partial<TaskTools> = {}): TaskTools {
	return {
		continues: false,
		hasSideEffects: true,
		stop: new StopSignal(),
		recordKey: recordNothing,
		getClient: () => send,
		...changes,
	};
}

describe('work that reaches nobody', () => {
	const work = (run: Task['run']) => buildTaskItem({ state: 'planned' }, { run });
	const request = { endpoint: SENDING, fields: { to: A } };
	const sendOnce: Task['run'] = async (send) => [{ id: (await send(request)).text('callSid') }];

	it('counts as accepted if its operation changes something', async () => {
		const proof = { statusCode: '000000' };
		const all = [true, false].map(async (hasSideEffects) => {
			const item = work(async () => [proof]);
			await runTasks([item], toolsWith(service().send, { hasSideEffects }));
			return item.status;
		});
		expect(await Promise.all(all)).toEqual([done(proof, 1), done(proof, 0)]);
	});

	it('is sent again if it was refused for load, while the run goes on', async () => {
		const { send, requests } = service([{ thrown: OVERLOAD }]);
		const item = work(sendOnce);
		await runTasks([item], toolsWith(send));
		expect(requests).toEqual([A, A]);
		expect(item.status).toEqual(done({ id: 'id-2' }, 1));
	});

	it('fails if the run stops between its requests', async () => {
		const tools = toolsWith();
		const item = work(async (send) => {
			await send(request);
			tools.stop.stop();
			await send(request);
			return [];
		});
		await runTasks([item], tools);
		expect(item.status).toMatchObject({ state: 'failed', accepted: 'unknown' });
	});

	it('fails if it throws, and no other work begins', async () => {
		const error = new Error('no');
		const later = jest.fn();
		const busy = Array.from({ length: 10 }, () => work(async () => await Promise.reject(error)));
		const items = [...busy, work(later)];
		await runTasks(items, toolsWith());
		expect(items.map(({ status }) => status)).toEqual([
			...busy.map(() => ({ state: 'failed', error, accepted: 'unknown' })),
			{ state: 'planned' },
		]);
		expect(later).not.toHaveBeenCalled();
	});

	it('stays planned if the run stopped before its first request', async () => {
		const tools = toolsWith();
		const item = work(async (send) => {
			tools.stop.stop();
			return await sendOnce(send, recordNothing);
		});
		await runTasks([item], tools);
		expect(item.status).toEqual({ state: 'planned' });
	});

	const many = (count: number) =>
		Array.from({ length: count }, (_each, index) =>
			buildTaskItem({ state: 'planned' }, { run: sendOnce }, index),
		);
	const hanging = (thrown = UNKNOWN) => service([{ thrown, times: Infinity }]);

	it('fails with what its request throws, whatever that is', async () => {
		const thrown = new Error('no');
		const item = work(sendOnce);
		await runTasks([item], toolsWith(service([{ thrown }]).send));
		expect(item.status).toEqual({ state: 'failed', error: thrown, accepted: 'unknown' });
	});

	it('is not begun after ten unclear requests in a row, and says that nothing was sent', async () => {
		const { send, requests } = hanging();
		const items = many(30);
		await runTasks(items, toolsWith(send, { continues: true }));
		expect(requests.length).toBeLessThan(20);
		const accepted = items.map((item) => showItem(item).failure?.accepted);
		expect([accepted[0], accepted[29]]).toEqual(['unknown', 'no']);
	});

	it('goes on without answers if it only reads', async () => {
		const { send, requests } = hanging(failure({ accepted: undefined }));
		await runTasks(many(30), toolsWith(send, { continues: true, hasSideEffects: false }));
		expect(requests).toHaveLength(30);
	});
});

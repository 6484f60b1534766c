import type { Logger } from 'n8n-workflow';

import { logAccepted, toReport } from '../../../nodes/Yuntongxun/executor/runReport';

/** What n8n's log is told of a run that a user stopped. */
function loggedFor(...rows: Parameters<typeof toReport>[0]): string[] {
	const lines: string[] = [];
	const logger = { info: (line: string) => void lines.push(line) } as unknown as Logger;
	logAccepted(logger, toReport(rows));
	return lines;
}

it('a run that a user stops logs what was or may have been accepted, without numbers', () => {
	expect(
		loggedFor(
			{ state: 'accepted', entry: { itemIndex: 0, to: '13800000001', callSid: 'a' } },
			{ state: 'unclear', entry: { itemIndex: 1, to: '13800000002' } },
			{ state: 'refused', entry: { itemIndex: 2, to: '13800000003' } },
		),
	).toEqual([
		'Execution stopped by the user. Accepted by then: [{"itemIndex":0,"callSid":"a"}]. Perhaps accepted, by item: [1].',
	]);
});

it('it logs nothing if nothing can have been accepted', () => {
	expect(loggedFor({ state: 'refused', entry: { itemIndex: 2 } })).toEqual([]);
	expect(loggedFor({ state: 'unclear', entry: { itemIndex: 2 } })).toHaveLength(1);
	expect(loggedFor({ state: 'accepted', entry: { itemIndex: 2 } })).toHaveLength(1);
});

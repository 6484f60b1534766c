import { Calls } from '../harness/callResults';
import { alarmTwo, MODES } from '../harness/modes';
import { describeOnEachN8n } from '../harness/world';

describeOnEachN8n('An execution that no active trigger started', (world) => {
	const calls = new Calls(world);

	test.each(MODES)(
		'finds the trigger of its workflow in mode %s',
		async (mode) => await alarmTwo(world(), calls, mode),
	);
});

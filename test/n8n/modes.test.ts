import { Calls } from './support/callResults';
import { alarmTwo, MODES, WAYS } from './support/modes';
import { describeOnEachN8n } from './support/world';

describeOnEachN8n('An execution that no active trigger started', (world) => {
	const calls = new Calls(world);

	test.each(MODES.flatMap((mode) => WAYS.map((way) => [mode, way] as const)))(
		'finds the trigger of its workflow in mode %s with Result Delivery %s',
		async (mode, way) => await alarmTwo(world(), calls, mode, way),
	);
});

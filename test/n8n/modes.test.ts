import { Calls } from '../harness/callResults';
import { alarmTwo, MODES, refuseInactive, WAYS } from '../harness/modes';
import { describeOnEachN8n } from '../harness/world';

describeOnEachN8n('An execution that no active trigger started', (world, version) => {
	const calls = new Calls(world);

	test.each(MODES.flatMap((mode) => WAYS.map((way) => [mode, way] as const)))(
		'finds the trigger of its workflow in mode %s with Result Delivery %s',
		async (mode, way) => await alarmTwo(world(), calls, mode, way),
	);

	// n8n 2 runs no error workflow that is not active.
	const onOne = version.startsWith('1.') ? test : test.skip;
	onOne.each(WAYS)(
		'calls nobody from an error workflow that is not active with Result Delivery %s',
		async (way) => await refuseInactive(world(), calls, way),
	);
});

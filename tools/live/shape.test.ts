import { compareShapes, describeShape } from './shape';

const SIMULATED =
	'{"statusCode":"000000","Account":{"balance":"1024.50","note":null,"sid":"4f9c1a2b"}}';

const compare = (live: string) =>
	compareShapes(describeShape(live), describeShape(SIMULATED)).filter((line) => line[0] === '≠');

test.each<[string, string, string[]]>([
	[
		'other values',
		'{"statusCode":"111142","Account":{"balance":"3.25","note":null,"sid":"00c0ffee"}}',
		[],
	],
	[
		'parts of another kind',
		'{"statusCode":"000000","Account":{"balance":3,"note":"","sid":"4f9c1a2b","type":"1"}}',
		[
			'≠ Account.balance: number without quotes; on the simulator 9.99',
			'≠ Account.note: empty text; on the simulator null',
			'≠ Account.type: 9; on the simulator nothing',
		],
	],
	['a list', '[{"a":"x"},{"a":null}]', ['≠ [].a: null or text; on the simulator nothing']],
	['no XML', '<Response><statusCode>', ['≠ (body): no XML; on the simulator nothing']],
])('compares kinds, and shows no value: %s', (_, live, differences) => {
	expect(compare(live)).toEqual(expect.arrayContaining(differences));
	if (differences.length === 0) expect(compare(live)).toEqual([]);
});

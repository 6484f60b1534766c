import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { CREDENTIAL, sendThroughForm } from '../support/trip';
import { anyText } from '../support/texts';

/** Every field and option of the operations that make a request. */
const FIELDS = RESOURCES.flatMap(({ value: resource, operations }) =>
	operations
		.filter(({ endpoint }) => endpoint !== undefined)
		.flatMap(({ value: operation, fields, options }) =>
			[...Object.values(fields), ...Object.values(options)].map((field) => ({
				resource,
				operation,
				name: field.property.name,
				type: field.property.type,
				isOption: Object.values(options).includes(field),
			})),
		),
);

const BASIS: IDataObject = {
	to: '13800000000',
	content: 'text',
	mediaTxt: 'Hello',
	voice: 'default',
	verifyCode: '3845',
	resultDelivery: 'none',
	templateId: '100001',
	friendlyName: 'shop',
	subAccountSid: 'a1',
	returnAll: false,
	limit: 50,
};

/** Any value that an expression or a program can give. */
const anyValue = fc.oneof(
	anyText,
	fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
	fc.integer(),
	fc.constantFrom('wait', 'url', 'trigger', 'audio', 'textAndAudio', 'custom', true),
);

it('any value in any field is refused in words about that field, or makes a request of the right form', async () => {
	const changes = fc.array(fc.tuple(fc.constantFrom(...FIELDS), anyValue), {
		minLength: 1,
		maxLength: 4,
	});
	await fc.assert(
		fc.asyncProperty(changes, fc.constantFrom('json', 'xml'), async (changed, wireFormat) => {
			const [{ resource, operation }] = changed[0];
			const own = changed.filter(
				([field]) => field.resource === resource && field.operation === operation,
			);
			const held = (isOption: boolean) =>
				Object.fromEntries(
					own
						.filter(([field]) => field.isOption === isOption)
						.map(([{ name }, value]) => [name, value]),
				) as IDataObject;
			const options = { ...held(true), dryRun: false };
			const form = { ...BASIS, ...held(false), options };
			const trip = await sendThroughForm(resource, operation, form, { ...CREDENTIAL, wireFormat });
			if ('refused' in trip) expect(trip.refused).toMatch(/^('[A-Z]|An AI agent)/);
			else expect(trip.violations).toEqual([]);
		}),
	);
});

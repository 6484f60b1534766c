import { RESOURCES } from '../../../nodes/Yuntongxun/resources';

/** Every field and option of the operations that make a request. */
export const FIELDS = RESOURCES.flatMap(({ value: resource, operations }) =>
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

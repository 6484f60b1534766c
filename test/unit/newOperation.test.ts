import { RESOURCES } from '../../nodes/Yuntongxun/resources';
import { OPERATIONS } from '../../simulator/operations';
import { EXAMPLE_FORMS } from '../support/exampleForms';

const EVERY = RESOURCES.flatMap(({ value, operations }) =>
	operations.map((operation) => ({ name: `${value}.${operation.value}`, operation })),
);
const simulated = OPERATIONS.map(({ name }) => String(name));

// How to add an operation: CONTRIBUTING.md. What comes out of it: test/engine/operations.test.ts.
it.each(EVERY)('$name is one that simulator/operations.ts knows', ({ operation: { endpoint } }) => {
	if (endpoint) expect(simulated).toContain(endpoint.name);
});

it('every operation has a form in test/support/exampleForms.ts, and every form an operation', () => {
	const forms = EXAMPLE_FORMS.map(({ resource, operation }) => `${resource}.${operation}`);
	expect(forms.sort()).toEqual(EVERY.map(({ name }) => name).sort());
});

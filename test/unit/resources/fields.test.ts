import type { IDataObject } from 'n8n-workflow';

import { EXAMPLE_FORMS, exampleForm, takesAppId } from '../../support/exampleForms';
import { CREDENTIAL, sendThroughForm } from '../../support/trip';

describe('without an App ID in node and credential', () => {
	it.each(
		EXAMPLE_FORMS.filter(({ endpoint }) => endpoint !== undefined).map(
			({ resource, operation }) => `${resource}.${operation}`,
		),
	)('%s is refused if it needs one', async (name) => {
		const [resource, operation] = name.split('.');
		const parameters = exampleForm(resource, operation).parameters as IDataObject;
		const trip = await sendThroughForm(resource, operation, parameters, {
			...CREDENTIAL,
			appId: '',
		});
		const said = 'refused' in trip ? trip.refused : 'sent';
		expect(said).toMatch(
			takesAppId(name) ? /^'App ID' is empty\. Enter one here or in the credential/ : /^sent$/,
		);
	});
});

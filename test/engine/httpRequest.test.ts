import type { IDataObject } from 'n8n-workflow';

import { TYPES } from '../support/engine/engine';
import { getJson } from '../support/engine/expectations';
import { useSimulator } from '../support/engine/simulator';

const service = useSimulator();

/** What n8n's HTTP Request node asks for where its user set nothing. */
const N8N_ACCEPT = { accept: 'application/json,text/*;q=0.99' };

const send = async (path: string, options: IDataObject) => {
	const { simulator } = service;
	const uri = `${simulator.url}/2013-12-26/Accounts/${simulator.credentials.accountSid}/${path}`;
	const items = JSON.stringify([{ uri, headers: N8N_ACCEPT, ...options }]);
	const [json] = getJson(await service.run({ items }, { type: TYPES.httpRequest }));
	return json.answer;
};

// That no request breaks a rule about headers, `useSimulator` asserts after each test.

it('the credential gives a request without a body the headers that the service asks for', async () => {
	expect(await send('AccountInfo', { method: 'GET' })).toMatchObject({ statusCode: '000000' });
});

it('and one with a JSON body', async () => {
	const [{ appId }] = service.simulator.account().applications;
	const body = { appId, to: '13800000005', mediaTxt: '您好' };
	expect(await send('Calls/LandingCalls', { method: 'POST', body })).toMatchObject({
		statusCode: '000000',
	});
});

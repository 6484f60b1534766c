import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { SOFT_VERSION } from '../nodes/Yuntongxun/client/credential';
import { buildCredentialTestRules } from '../nodes/Yuntongxun/client/credentialTestRules';
import { DEFAULT_TIMEOUT } from '../nodes/Yuntongxun/client/request';
import { signRequest } from '../nodes/Yuntongxun/client/signing';
import { translateDescription } from '../nodes/Yuntongxun/language/translate';

export class YuntongxunApi implements ICredentialType {
	name = 'yuntongxunApi';

	displayName = 'Yuntongxun API';

	icon: Icon = {
		light: 'file:../nodes/Yuntongxun/yuntongxun.svg',
		dark: 'file:../nodes/Yuntongxun/yuntongxun.dark.svg',
	};

	documentationUrl = 'https://github.com/n8n-nodes-yuntongxun/n8n-nodes-yuntongxun#credential';

	properties: INodeProperties[] = [
		{
			displayName:
				'Find these values in the <a href="https://console.yuntongxun.com" target="_blank">Yuntongxun console</a>: ACCOUNT SID, AUTH TOKEN and Rest URL on its first page, APP ID in its list of applications. If an IP allow-list is on, add the address of this n8n to it.',
			name: 'consoleNotice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Account SID',
			name: 'accountSid',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 8a216da85f5c89b1015f7a1b2c3d4e5f',
			description: 'ACCOUNT SID of the main account, usually 32 letters and digits',
		},
		{
			displayName: 'Auth Token',
			name: 'authToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'AUTH TOKEN below the ACCOUNT SID, usually 32 letters and digits',
		},
		{
			displayName: 'App ID',
			name: 'appId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 8a216da85f5c89b1015f7a1b2c3d4e60',
			description:
				"Required for calls and SMS: APP ID on the application's page. A node can use a different one.",
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://app.cloopen.com:8883',
			placeholder: 'e.g. https://app.cloopen.com:8883',
			description:
				'Rest URL beside the ACCOUNT SID. Production (app.cloopen.com) and sandbox (sandboxapp.cloopen.com) usually have different accounts.',
		},
		{ displayName: 'Software Version', name: 'softVersion', type: 'hidden', default: SOFT_VERSION },
		{
			displayName: 'Wire Format',
			name: 'wireFormat',
			type: 'options',
			options: [
				{ name: 'JSON', value: 'json' },
				{ name: 'XML', value: 'xml' },
			],
			default: 'json',
			description:
				'Data format used with the service. Keep JSON unless you need XML. The output is the same.',
		},
	];

	constructor() {
		this.properties = translateDescription(this.properties);
	}

	/** Signs requests to the host of the base URL, for any node. Specification section 5. */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	) => signRequest(credentials, options, new Date());

	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}/{{ $credentials.softVersion || "${SOFT_VERSION}" }}/Accounts/{{ encodeURIComponent($credentials.accountSid.trim()) }}`,
			url: '/AccountInfo',
			method: 'GET',
			headers: {
				Accept: 'application/json',
				'Content-Type': 'application/json;charset=utf-8',
				'Content-Length': '0',
			},
			json: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: DEFAULT_TIMEOUT,
		},
		rules: translateDescription(buildCredentialTestRules()),
	};
}

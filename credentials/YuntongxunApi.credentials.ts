import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { credentialTestRules } from '../nodes/Yuntongxun/service/credentialTest';
import { signRequest } from '../nodes/Yuntongxun/service/signRequest';

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
				'All values stand in the Yuntongxun console: ACCOUNT SID, AUTH TOKEN and Rest URL under 开发者主账号 (main account), the APP ID on the page of an application in 应用列表 (applications). Production and sandbox have different Base URLs. If the account has an IP allow-list (白名单), the outgoing address of this n8n has to be on it.',
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
			description:
				'ID of the main account, 32 letters and digits such as 8a216da85f5c89b1015f7a1b2c3d4e5f. It is the ACCOUNT SID under 开发者主账号 (main account) in the Yuntongxun console.',
		},
		{
			displayName: 'Auth Token',
			name: 'authToken',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				'Secret of the main account, 32 letters and digits. It is the AUTH TOKEN, which stands below the ACCOUNT SID in the Yuntongxun console.',
		},
		{
			displayName: 'App ID',
			name: 'appId',
			type: 'string',
			default: '',
			placeholder: 'e.g. 8a216da85f5c89b1015f7a1b2c3d4e60',
			description:
				'Application to use where a node names none, 32 letters and digits such as 8a216da85f5c89b1015f7a1b2c3d4e60. It is the APP ID on the page of the application, which you reach from 应用列表 (applications) in the Yuntongxun console.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://app.cloopen.com:8883',
			placeholder: 'e.g. https://app.cloopen.com:8883',
			description:
				'Address of the service, for example https://app.cloopen.com:8883 for production or https://sandboxapp.cloopen.com:8883 for the sandbox. They have different accounts: take the one that the Yuntongxun console shows as Rest URL beside the ACCOUNT SID. If the account has an IP allow-list (白名单), put the outgoing address of this n8n on it.',
		},
		{
			displayName: 'Software Version',
			name: 'softVersion',
			type: 'hidden',
			default: '2013-12-26',
		},
	];

	/** Signs requests to the host of the base URL, for any node. Specification section 5. */
	authenticate: IAuthenticate = async (
		credentials: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	) => signRequest(credentials, options, new Date());

	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}/{{ $credentials.softVersion || "2013-12-26" }}/Accounts/{{ encodeURIComponent($credentials.accountSid.trim()) }}',
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
			timeout: 30_000,
		},
		rules: credentialTestRules(),
	};
}

import type { IExecuteFunctions, ILoadOptionsFunctions } from 'n8n-workflow';

import type { HttpHelper } from '../service/transport';

/**
 * n8n's HTTP helper, which signs with the node's credential: proxies and n8n's own protections
 * apply. Specification section 5.
 */
export function signedHttp(context: IExecuteFunctions | ILoadOptionsFunctions): HttpHelper {
	return async (request) =>
		await context.helpers.httpRequestWithAuthentication.call(context, 'yuntongxunApi', request);
}

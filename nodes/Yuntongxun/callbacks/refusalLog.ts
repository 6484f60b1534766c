import type { IWebhookFunctions } from 'n8n-workflow';

import { BoundedMap } from '../util/boundedMap';
import { identifyNode } from '../util/n8nInternals';

/** How long a refusal is not told again, in milliseconds. */
const SILENCE_MS = 10 * 60_000;

/** How many names of members a line shows. */
const MAX_NAMES = 20;

/** How much of a body is looked at for names, in characters; notifications have less. */
const SCANNED_CHARACTERS = 4096;

/** The name of a member of JSON or XML, by which no text that a person typed is shown. */
const MEMBER_NAME = /"([A-Za-z_][\w.-]{0,39})"\s*:|<\/([A-Za-z_][\w.-]{0,39})>/g;

/** A content type and its parameters, but nothing else that somebody may have put there. */
const CONTENT_TYPE = /^[\w/+.;=\s"-]{1,80}$/;

/** When each refusal was told last, in milliseconds since 1970, by node, execution and reason. */
const toldAt = new BoundedMap<string, number>(1000);

/**
 * Tells n8n's log that a request was refused, so that nobody takes it for one that never came: for each
 * trigger or waiting execution, and each reason, at most every ten minutes. Shows no values.
 *
 * @param why what the status does not say, to go on the sentence
 */
export function logRefusal(context: IWebhookFunctions, status: number, why = ''): void {
	const execution = context.getExecutionId();
	const key = `${identifyNode(context)}/${execution}/${status}${why}`;
	if (Date.now() - (toldAt.get(key) ?? -Infinity) < SILENCE_MS) return;

	toldAt.set(key, Date.now());
	const place = execution
		? `waiting execution ${execution}`
		: `workflow ${context.getWorkflow().id}`;
	context.logger.warn(
		`Yuntongxun: a request to "${context.getNode().name}" (${place}) was refused with HTTP ${status}${why}: ${describeRequest(context)}. Others within ten minutes are not logged`,
	);
}

function describeRequest(context: IWebhookFunctions): string {
	const { headers, originalUrl, rawBody } = context.getRequestObject();
	const type = headers['content-type'] ?? 'none';
	const names = findNames(rawBody?.toString('utf8', 0, SCANNED_CHARACTERS) ?? '');
	return [
		`content type ${CONTENT_TYPE.test(type) ? type : 'unreadable'}`,
		`${rawBody?.length ?? 0} bytes`,
		`names ${names.join(', ') || 'none'}`,
		/[?&]yt\w*=/.test(originalUrl) ? 'a token in the address' : 'no token in the address',
	].join(', ');
}

function findNames(text: string): string[] {
	const names = [...text.matchAll(MEMBER_NAME)].map(([, json, xml]) => json ?? xml);
	return [...new Set(names)].slice(0, MAX_NAMES);
}

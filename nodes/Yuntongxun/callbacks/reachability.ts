import { translate } from '../language/translate';

/** n8n's environment variable for its public address, as a user looks for it. */
const PUBLIC_ADDRESS_VARIABLE = translate('N8N_WEBHOOK_URL (WEBHOOK_URL before n8n 2.35)');

/** Hosts that only this machine or network can reach. */
const PRIVATE_HOSTS: readonly RegExp[] = [
	// Names: without a dot, or with an ending that is never public
	/^[^.:[\]]+$/,
	/\.(?:localhost|local|internal|lan|home|test|invalid)$/i,
	// IPv4: this machine, private networks (RFC 1918), link-local, and shared by a provider (RFC 6598)
	/^(?:0|10|127)(?:\.\d+){3}$/,
	/^(?:192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d+){2}$/,
	/^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d+){2}$/,
	// IPv6: this machine, private networks (fc00::/7), and link-local
	/^\[(?:::1?|f[cd][0-9a-f:]*|fe80:[0-9a-f:]*)\]$/i,
];

const NOT_WHOLE =
	"The service reports the call result to n8n's public address, which is not a complete address. Begin n8n's environment variable {variable} with https://.";

const IS_TEST =
	"The service reports the call result to a test address, where n8n listens only while you test. Use the trigger's Production URL.";

const IS_PRIVATE =
	"The service reports the call result to {hostname}, which cannot be reached from the internet. Use a public address: if it is one of n8n, set n8n's environment variable {variable} to it.";

/**
 * Tells the user why the service cannot reach an address; nothing if nothing speaks against it.
 *
 * @param url may lack `https://`, since n8n takes its public address as it is set
 * @param inProduction whether the workflow runs in production, when n8n ignores test addresses
 */
export function findUnreachableHints(url: string, inProduction: boolean): string[] {
	const variable = PUBLIC_ADDRESS_VARIABLE;
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	const isWhole = parsed && ['https:', 'http:'].includes(parsed.protocol);
	if (!isWhole) return [translate(NOT_WHOLE, { variable })];

	const { hostname, pathname } = parsed;
	if (PRIVATE_HOSTS.some((pattern) => pattern.test(hostname))) {
		return [translate(IS_PRIVATE, { hostname, variable })];
	}
	return inProduction && /\/webhook-test\//.test(pathname) ? [translate(IS_TEST)] : [];
}

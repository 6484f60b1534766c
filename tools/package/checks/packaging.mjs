import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

/** What publint says about the unpacked tarball, suggestions included. */
export async function packaging({ unpacked }) {
	const { messages, pkg } = await publint({
		pkgDir: unpacked,
		level: 'suggestion',
		strict: true,
		pack: false,
	});
	return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

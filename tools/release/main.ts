/**
 * Prints the changelog's section for a release: `npx tsx tools/release/main.ts v1.0.0`. Ends
 * with exit code 1 if the tag is not the version of package.json, or the changelog has no dated
 * section for it, so that a release workflow stops.
 */
import { version } from '../../package.json';
import { read } from '../documents/markdown';
import { releaseNotes } from './releaseNotes';

try {
	console.log(releaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md')));
} catch (refusal) {
	console.error((refusal as Error).message);
	process.exitCode = 1;
}

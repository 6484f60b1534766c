/**
 * Prints the changelog's section for a release: `npx tsx tools/releaseNotes.ts v1.0.0`. Ends with exit code 1
 * if tag, package.json and changelog disagree, so that a release workflow stops.
 */
import { version } from '../package.json';
import { read } from './documents/markdown';

/**
 * The release notes of a version.
 *
 * @param tag of git, such as "v1.0.0"
 * @param released the version of package.json
 * @param changelog its whole text, with a heading `## 1.0.0 (2026-11-21)` for each release
 * @returns the text below the heading of this version
 * @throws Error if the three disagree
 */
export function releaseNotes(tag: string, released: string, changelog: string): string {
	if (tag !== `v${released}`) {
		throw new Error(`The tag is "${tag}", and package.json has the version ${released}`);
	}
	const [, ...sections] = changelog.split(/^## /m);
	const section = sections.find((each) => each.startsWith(`${released} (`));
	const [heading, ...text] = section?.split('\n') ?? [''];
	if (!/\(\d{4}-\d{2}-\d{2}\)$/.test(heading)) {
		throw new Error(`CHANGELOG.md has no heading "## ${released} (year-month-day)"`);
	}
	const notes = text.join('\n').trim();
	if (!notes) throw new Error(`CHANGELOG.md says nothing about ${released}`);
	return notes;
}

if (require.main === module) {
	console.log(releaseNotes(process.argv[2] ?? '', version, read('CHANGELOG.md')));
}

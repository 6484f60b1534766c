/**
 * The release notes of a version.
 *
 * @param tag of git, such as "v1.0.0"
 * @param version of package.json
 * @param changelog its whole text, with a heading `## 1.0.0 (2026-11-21)` for each release
 * @returns the text below the heading of this version
 * @throws Error if the three disagree
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
	if (tag !== `v${version}`) {
		throw new Error(`The tag is "${tag}", and package.json has the version ${version}`);
	}
	const [, ...sections] = changelog.split(/^## /m);
	const section = sections.find((each) => each.startsWith(`${version} (`));
	const [heading, ...text] = section?.split('\n') ?? [''];
	if (!/\(\d{4}-\d{2}-\d{2}\)$/.test(heading)) {
		throw new Error(`CHANGELOG.md has no heading "## ${version} (year-month-day)"`);
	}
	const notes = text.join('\n').trim();
	if (!notes) throw new Error(`CHANGELOG.md says nothing about ${version}`);
	return notes;
}

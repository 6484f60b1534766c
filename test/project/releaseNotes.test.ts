import { releaseNotes } from '../../tools/releaseNotes';

const CHANGELOG = `# Changelog

## Unreleased

- Not yet.

## 1.1.0 (2026-12-01)

## 1.0.0 (2026-11-21)

- First release.

## 0.9.0

- Before.
`;

test('Release notes are what the changelog says about the version', () => {
	expect(releaseNotes('v1.0.0', '1.0.0', CHANGELOG)).toBe('- First release.');
});

test.each([
	['a tag that is not the version', 'v1.0.1', '1.0.0', 'The tag is "v1.0.1"'],
	['a tag without its v', '1.0.0', '1.0.0', 'The tag is "1.0.0"'],
	['a version that the changelog does not know', 'v1.2.0', '1.2.0', '## 1.2.0 (year-month-day)'],
	['a beginning of another version', 'v1.0', '1.0', '## 1.0 (year-month-day)'],
	['a section without a date', 'v0.9.0', '0.9.0', '## 0.9.0 (year-month-day)'],
	['an empty section', 'v1.1.0', '1.1.0', 'says nothing about 1.1.0'],
])('Release notes refuse %s', (_what, tag, version, words) => {
	expect(() => releaseNotes(tag, version, CHANGELOG)).toThrow(words);
});

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

/** The rules that n8n's own scanner applies to published packages, over sources and tarball. */
export async function scanner({ project, unpacked }) {
	const legs = {
		sources: await analyzePackage(project, SOURCE_FILE_PATTERNS),
		tarball: await analyzePackage(unpacked),
	};
	return Object.entries(legs)
		.filter(([, { passed }]) => !passed)
		.map(([name, { message, details }]) => `${name}: ${message}\n${details ?? ''}`);
}

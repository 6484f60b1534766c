import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Scripts that npm runs on users' machines; n8n's reviewers refuse them. */
const REFUSED_SCRIPTS = ['prepare', 'preinstall', 'install', 'postinstall', 'prepublish'];
/** Members that install more packages. */
const REFUSED_FIELDS = [
	'dependencies',
	'optionalDependencies',
	'bundleDependencies',
	'bundledDependencies',
	'overrides',
];

/** What n8n asks of the package.json of a verified node, checked in the tarball. */
export function metadata({ unpacked }) {
	const read = (file) => JSON.parse(readFileSync(join(unpacked, file), 'utf8'));
	const pkg = read('package.json');
	const rules = {
		'licence is MIT': pkg.license === 'MIT',
		'keyword n8n-community-node-package': pkg.keywords?.includes('n8n-community-node-package'),
		description: Boolean(pkg.description),
		'author with name and e-mail': Boolean(pkg.author?.name && pkg.author?.email),
		'homepage is a URL': URL.canParse(pkg.homepage),
		'bugs is a URL': URL.canParse(pkg.bugs?.url),
		'repository on GitHub, which provenance is held against': /^git\+https:\/\/github\.com\//.test(
			pkg.repository?.url,
		),
		'files is dist alone': JSON.stringify(pkg.files) === '["dist"]',
		'n8n-workflow is the only peer, in any version':
			JSON.stringify(pkg.peerDependencies) === '{"n8n-workflow":"*"}',
		'n8nNodesApiVersion is 1': pkg.n8n?.n8nNodesApiVersion === 1,
		'not private': !pkg.private,
	};
	const codex = pkg.n8n.nodes.map((file) => file.replace(/\.js$/, '.json'));
	return [
		...Object.entries(rules).flatMap(([rule, holds]) => (holds ? [] : [`not so: ${rule}`])),
		...REFUSED_SCRIPTS.filter((name) => pkg.scripts?.[name]).map((name) => `script ${name}`),
		...REFUSED_FIELDS.filter((name) => pkg[name]).map((name) => `field ${name}`),
		...codex.filter((file) => read(file).node !== `${pkg.name}.${nodeName(file)}`),
	];
}

/** `dist/…/YuntongxunTrigger.node.json` describes the node `yuntongxunTrigger`. */
function nodeName(file) {
	const name = file.replace(/^.*\/|\.node\.json$/g, '');
	return name[0].toLowerCase() + name.slice(1);
}

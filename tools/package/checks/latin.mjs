import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { filesBelow } from './filesBelow.mjs';

/**
 * Where a package in English may hold Chinese: what people search for, and, in the README, the
 * vendor's name, words that stand in the vendor's console, and the link to the Chinese documents. The
 * text of the vendor's own template is data.
 */
const ALLOWED = {
	'README.md': ['容联云通讯', '简体中文', '开发者主账号', '应用列表', '应用管理'],
	'package.json': ['容联云通讯'],
	'dist/nodes/Yuntongxun/resources/smsTemplate/vendorTemplate.json': [
		'云通讯',
		'您使用的是云通讯短信模板',
		'您的验证码是',
		'请于',
		'分钟内正确输入',
	],
};
const ALIASES = /\.node\.json$/;

/** Han characters in anything that npm packs. */
export function latin({ unpacked }) {
	return filesBelow(unpacked).flatMap((file) => {
		const text = ALIASES.test(file) ? withoutAliases(unpacked, file) : read(unpacked, file);
		const allowed = ALLOWED[file] ?? [];
		const rest = allowed.reduce((left, words) => left.replace(words, ''), text);
		const found = rest.match(/\p{Script=Han}+/gu) ?? [];
		return found.map((words) => `${file} holds ${words}`);
	});
}

const read = (folder, file) => readFileSync(join(folder, file), 'utf8');

function withoutAliases(folder, file) {
	return JSON.stringify({ ...JSON.parse(read(folder, file)), alias: [] });
}

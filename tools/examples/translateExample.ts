import * as ts from 'typescript';
import type { WorkflowDefinition, WorkflowNode } from '../../test/harness/n8nRest';

/** What people see of the examples in another language, by the English. */
export interface ExampleTexts {
	/** Names of nodes. */
	nodes: Record<string, string>;
	/** Columns of the files that people get, by the node that makes them. */
	columns: Record<string, Record<string, string>>;
	/** All other texts. `{1}`, `{2}` … are the expressions in a text, in their order. */
	texts: Record<string, string>;
}

/** Parameters that n8n shows to people as they are. */
const SHOWN = new Set(
	`formTitle formDescription fieldLabel placeholder option buttonLabel completionTitle completionMessage
	formSubmittedText fileName initialMessages systemMessage toolDescription message outputKey
	renameFallbackOutput`.split(/\s+/),
);
/** A sticky note. */
const NOTE = /^## /;
const WORD = /[A-Za-z]{3,}/;
const WORDS = /[A-Za-z]{2,}[,.]? [A-Za-z]{3,}/;
/** A model calls a tool by the name of its node, which n8n reduces to ASCII. */
const TOOL = /Tool$/;

/** Makes the examples in another language from the English ones. */
export class ExampleTranslator {
	readonly #texts: ExampleTexts;
	readonly #used = new Set<string>();
	readonly #missing = new Set<string>();
	#labels = new Set<string>();
	#nodes = new Map<string, string>();

	constructor(texts: ExampleTexts) {
		this.#texts = texts;
	}

	/**
	 * An example whose names, notes, forms, pages and messages are in the other language, as are the
	 * expressions that name its nodes and its forms' fields.
	 *
	 * @throws Error for texts that have no row
	 */
	translate(example: WorkflowDefinition): WorkflowDefinition {
		this.#labels = new Set(example.nodes.flatMap(readLabels));
		this.#nodes = new Map(example.nodes.map((node) => [node.name, this.#translateName(node)]));
		const translated = {
			...example,
			name: this.#translateWords(example.name, true),
			nodes: example.nodes.map((node) => this.#translateNode(node)),
			connections: this.#translateConnections(example.connections) as typeof example.connections,
		};
		if (this.#missing.size > 0) {
			const rows = [...this.#missing].map((text) => JSON.stringify(text)).join('\n');
			throw new Error(`The table of the examples' texts has no row for\n${rows}`);
		}
		return translated;
	}

	/** The rows of the table that no example has used. */
	findUnused(): string[] {
		const { nodes, texts } = this.#texts;
		return [...Object.keys(nodes), ...Object.keys(texts)].filter((text) => !this.#used.has(text));
	}

	#translateName({ name, type }: WorkflowNode): string {
		return TOOL.test(type) ? name : this.#look(this.#texts.nodes, name, true);
	}

	#look(table: Record<string, string>, text: string, isNeeded: boolean): string {
		if (Object.hasOwn(table, text)) {
			this.#used.add(text);
			return table[text];
		}
		if (isNeeded) this.#missing.add(text);
		return text;
	}

	#translateWords(text: string, isShown: boolean): string {
		return this.#look(this.#texts.texts, text, (isShown ? WORD : WORDS).test(text));
	}

	#rename(name: string): string {
		const renamed = this.#nodes.get(name);
		if (renamed === undefined) throw new Error(`An expression names the node "${name}"`);
		return renamed;
	}

	#translateNode(node: WorkflowNode): WorkflowNode {
		const parameters = this.#translateValue(node.parameters, '') as typeof node.parameters;
		const columns = this.#texts.columns[node.name];
		if (columns) {
			const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
			for (const each of assignments) each.name = this.#look(columns, each.name, true);
		}
		const notes = node.notes && this.#translateWords(node.notes, true);
		return { ...node, name: this.#rename(node.name), parameters, ...(notes && { notes }) };
	}

	#translateConnections(value: unknown): unknown {
		if (Array.isArray(value)) return value.map((each) => this.#translateConnections(each));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, each]: [string, unknown]) =>
				key === 'node'
					? [key, this.#rename(String(each))]
					: [this.#nodes.get(key) ?? key, this.#translateConnections(each)],
			),
		);
	}

	#translateValue(value: unknown, key: string): unknown {
		if (typeof value === 'string') return this.#translateText(value, key);
		if (Array.isArray(value)) return value.map((each) => this.#translateValue(each, key));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([name, each]) => [name, this.#translateValue(each, name)]),
		);
	}

	#translateText(text: string, key: string): string {
		if (key === 'jsCode') return this.#translateCode(text);
		if (key === 'binaryPropertyName' && this.#labels.has(text)) return this.#nameFile(text);
		if (text.startsWith('<')) return this.#translatePage(text);
		if (!text.startsWith('=')) return this.#translateWords(text, SHOWN.has(key) || NOTE.test(text));
		const expressions: string[] = [];
		const words = text.replace(/\{\{([^]*?)\}\}/g, (_, code: string) => {
			expressions.push(`{{${this.#translateCode(`(${code})`).slice(1, -1)}}}`);
			return `{${expressions.length}}`;
		});
		return `=${fill(this.#translateWords(words.slice(1), SHOWN.has(key)), expressions)}`;
	}

	/** A page for browsers: its words, and those of its script. */
	#translatePage(html: string): string {
		return html
			.split(/(?<=<script>)([^]*)(?=<\/script>)/)
			.map((part, at) =>
				at === 1
					? this.#translateCode(part)
					: part.replace(/(?<=>)[^<\n]*\w[^<\n]*(?=<)/g, (words) =>
							this.#translateWords(words, true),
						),
			)
			.join('');
	}

	#translateCode(code: string): string {
		const file = ts.createSourceFile('x.js', code, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
		const translated = code.slice(0, file.getStart()) + this.#rewrite(file);
		return translated.replace(
			/(?<=^|\s)\/\/ (.+)$/gm,
			(_, comment: string) => `// ${this.#translateWords(comment, true)}`,
		);
	}

	#rewrite(node: ts.Node): string {
		const replacement = this.#replace(node);
		if (replacement !== undefined) return replacement;
		const { text } = node.getSourceFile();
		const parts: string[] = [];
		let at = node.getStart();
		ts.forEachChild(node, (child) => {
			parts.push(text.slice(at, child.getStart()), this.#rewrite(child));
			at = child.getEnd();
		});
		return [...parts, text.slice(at, node.getEnd())].join('');
	}

	#replace(node: ts.Node): string | undefined {
		if (ts.isStringLiteralLike(node)) return this.#replaceLiteral(node);
		if (ts.isTemplateExpression(node)) return this.#replaceTemplate(node);
		if (ts.isPropertyAccessExpression(node) && this.#labels.has(node.name.text)) {
			return this.#replaceField(node);
		}
		return undefined;
	}

	#replaceLiteral({ text, parent }: ts.StringLiteralLike): string | undefined {
		const isNode = ts.isCallExpression(parent) && parent.expression.getText() === '$';
		const translated = isNode ? this.#rename(text) : this.#translateWords(text, false);
		return translated === text ? undefined : quote(translated);
	}

	#replaceTemplate({ head, templateSpans }: ts.TemplateExpression): string | undefined {
		const spans = templateSpans.map(({ literal }, at) => `{${at + 1}}${literal.text}`);
		const text = [head.text, ...spans].join('');
		const translated = this.#translateWords(text, false);
		if (translated === text) return undefined;
		const values = templateSpans.map(({ expression }) => `\${${this.#rewrite(expression)}}`);
		return `\`${fill(translated, values)}\``;
	}

	/** A form's field is called as its label, and a file in it by a name of ASCII. */
	#replaceField({ expression, name, questionDotToken }: ts.PropertyAccessExpression): string {
		const object = this.#rewrite(expression);
		if (object === '$binary') return `${object}.${this.#nameFile(name.text)}`;
		const label = this.#translateWords(name.text, true);
		if (label === name.text) return `${object}${questionDotToken ? '?.' : '.'}${label}`;
		return `${object}${questionDotToken ? '?.' : ''}[${quote(label)}]`;
	}

	/** What n8n calls a file, by the label of its field. */
	#nameFile(label: string): string {
		return this.#translateWords(label, true).replace(/\W/g, '_');
	}
}

/** The labels of a form's fields. */
function readLabels({ parameters }: WorkflowNode): string[] {
	const { values = [] } = (parameters.formFields ?? {}) as {
		values?: Array<{ fieldLabel?: string }>;
	};
	return values.flatMap(({ fieldLabel }) => fieldLabel ?? []);
}

const fill = (text: string, values: string[]) =>
	text.replace(/\{(\d)\}/g, (place, number: string) => values[Number(number) - 1] ?? place);

const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;

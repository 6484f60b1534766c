import { z } from 'zod';
import { ALTERATIONS, type Alteration } from '../alterations';
import type { CallResultOverrides, PlannedResult } from '../callResults';
import type { FaultRule } from '../faults';
import { OPERATIONS, type OperationName } from '../operations';
import type { Settings } from '../settings';

const isOperationName = (name: string): name is OperationName =>
	OPERATIONS.some((operation) => operation.name === name);

const milliseconds = z.number().min(0);

const settingsInput = z
	.object({
		latencyMs: milliseconds,
		callResultDelayMs: milliseconds,
		callResultSpreadMs: milliseconds,
		callResultPatienceMs: milliseconds,
		checkAcknowledgements: z.boolean(),
		leadingBlanks: z.boolean(),
		memberOrder: z.enum(['specification', 'reversed', 'varying']),
		orderId: z.enum(['always', 'never', 'sometimes']),
		emptyList: z.enum(['emptyString', 'emptyArray', 'absent']),
		singleInList: z.enum(['object', 'array']),
		defaultPageSize: z.number().int().min(1),
		maxClockSkewMs: milliseconds,
		recordLimit: z
			.number()
			.int()
			.min(1)
			.nullable()
			.transform((limit) => limit ?? Infinity),
	})
	.strict()
	.partial();

/** Settings to change. @throws ZodError for anything else */
export const readSettings = (input: unknown): Partial<Settings> => settingsInput.parse(input);

const callResultInput = z
	.object({
		callSid: z.string().min(1),
		rootName: z.string().optional(),
		contentType: z.string().optional(),
		body: z.string().optional(),
		bodyBase64: z.string().optional(),
		url: z.string().url().optional(),
		expectAcknowledgement: z.boolean().optional(),
		fields: z.record(z.string().nullable()).optional(),
	})
	.catchall(z.string().nullable());

/**
 * A call result to send. Members that the README does not name are fields of the result.
 * @throws ZodError for other input
 */
export function readCallResult(input: unknown): {
	callSid: string;
	overrides: CallResultOverrides;
} {
	const {
		callSid,
		rootName,
		contentType,
		body,
		bodyBase64,
		url,
		expectAcknowledgement,
		fields,
		...rest
	} = callResultInput.parse(input);
	return {
		callSid,
		overrides: {
			fields: { ...rest, ...fields },
			...(rootName !== undefined && { rootName }),
			...(contentType !== undefined && { contentType }),
			...(body !== undefined && { body }),
			...(bodyBase64 !== undefined && { body: Buffer.from(bodyBase64, 'base64') }),
			...(url !== undefined && { url }),
			...(expectAcknowledgement !== undefined && { expectAcknowledgement }),
		},
	};
}

const planInput = z
	.object({
		number: z.string().min(1),
		results: z
			.array(
				z
					.object({
						when: z.union([milliseconds, z.literal('beforeAnswer')]),
						state: z.string(),
						duration: z.string(),
						turnedRound: z.boolean().optional(),
					})
					.strict(),
			)
			.nullable(),
	})
	.strict();

/** The results of calls to a number; null restores the table. @throws ZodError for other input */
export function readPlan(input: unknown): { number: string; results?: readonly PlannedResult[] } {
	const { number, results } = planInput.parse(input);
	return { number, ...(results && { results }) };
}

const isAlteration = (name: string): name is Alteration => Object.hasOwn(ALTERATIONS, name);

const match = {
	operation: z.string().refine(isOperationName, 'no such operation').optional(),
	number: z.string().optional(),
	nth: z.number().int().min(1).optional(),
	times: z
		.number()
		.int()
		.min(1)
		.nullable()
		.transform((times) => times ?? Infinity)
		.optional(),
	accept: z.boolean().optional(),
};

const faultInput = z.discriminatedUnion('kind', [
	z
		.object({
			...match,
			kind: z.literal('statusCode'),
			statusCode: z.string(),
			statusMsg: z.string().optional(),
		})
		.strict(),
	z
		.object({
			...match,
			kind: z.literal('http'),
			status: z.number().int().min(200).max(599).optional(),
			body: z.string().optional(),
			bodyBase64: z.string().optional(),
			altered: z.string().refine(isAlteration, 'no such alteration').optional(),
			contentType: z.string().optional(),
			headers: z.record(z.string()).optional(),
			cutAfter: z.number().int().min(0).optional(),
			dripMs: milliseconds.optional(),
			megabytes: z.number().positive().optional(),
			chunked: z.boolean().optional(),
		})
		.strict(),
	z.object({ ...match, kind: z.literal('reset') }).strict(),
	z.object({ ...match, kind: z.literal('silence') }).strict(),
]);

/** A fault to inject. @throws ZodError for other input */
export function readFault(input: unknown): FaultRule {
	const rule = faultInput.parse(input);
	if (rule.kind !== 'http') return rule;
	const { bodyBase64, ...rest } = rule;
	return bodyBase64 === undefined ? rest : { ...rest, body: Buffer.from(bodyBase64, 'base64') };
}

const MOST_AT_ONCE = 1_000_000;

/** How many sub-accounts to add. @throws ZodError for other input */
export const readCount = (input: unknown): number =>
	z
		.object({ count: z.number().int().min(1).max(MOST_AT_ONCE) })
		.strict()
		.parse(input).count;

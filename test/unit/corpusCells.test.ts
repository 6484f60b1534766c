import { callNumber, smsNumber, smsNumbers } from '../../nodes/Yuntongxun/operation/phoneNumber';
import { recipientFilter } from '../../nodes/Yuntongxun/operation/recipientFilter';
import type { Validator } from '../../nodes/Yuntongxun/operation/field';
import cells from '../corpus/cells/table.json';
import { buildForm, buildProperty, toPhoneNumber } from '../support/form';

interface Cell {
	cell: string | number;
	/** What is dialed; null if the call is refused. */
	call: string | null;
	/** The numbers that are texted; null if the SMS is refused. */
	sms: string[] | null;
	/** Why, in one word of {@link REFUSALS}. */
	refused?: string;
	source: string;
	why?: string;
}

/** What a refusal says, by the word that the table has for it. */
const REFUSALS: Record<string, RegExp> = {
	empty: /^'To' is empty/,
	several: /^'To' is a list/,
	unknown: /^'To' is not a phone number that this node takes/,
	word: /^'To' is the word/,
};

/** The same of an SMS to what can only be called. */
const ONLY_CALLED = /^'To' (is not a mobile number|has an extension)/;

const TO = buildProperty({ displayName: 'To', name: 'to', required: true });
const ALLOWED = buildProperty({ displayName: 'Allowed Recipients', name: 'allowedRecipients' });

const read = <T>(validate: Validator<T>, value: unknown) => validate(value, TO, buildForm());
const rows: Cell[] = cells;

describe.each(rows)('the cell %#: $cell', ({ cell, call, sms, refused = '' }) => {
	it('is dialed, or refused', () => {
		if (call === null) return expect(() => read(callNumber, cell)).toThrow(REFUSALS[refused]);
		return expect(read(callNumber, cell).text).toBe(call);
	});

	it('is texted, or refused, alone and in a list', () => {
		if (sms === null) {
			const words = call === null ? REFUSALS[refused] : ONLY_CALLED;
			if (refused !== 'several') expect(() => read(smsNumbers, cell)).toThrow(words);
			expect(() => read(smsNumber, cell)).toThrow(words);
			return;
		}
		const texted = (value: unknown) => read(smsNumbers, value).map(({ text }) => text);
		expect(texted(cell)).toEqual(sms);
		expect(texted(['13900000000', cell])).toEqual(['13900000000', ...sms]);
		expect(texted(`13900000000, ${cell}`)).toEqual(['13900000000', ...sms]);
		if (sms.length === 1 && call !== null) expect(read(smsNumber, cell).text).toBe(sms[0]);
	});

	it('allows the number that is dialed, and no other', () => {
		const build = () => recipientFilter(cell, ALLOWED, buildForm());
		if (cell === '') return expect(build()).toBeUndefined();
		if (call === null && sms === null) {
			if (refused !== 'several') expect(build).toThrow();
			return;
		}
		const isAllowed = build();
		const numbers = (sms ?? [String(call)]).map(toPhoneNumber);
		expect(numbers.map((number) => isAllowed?.(number))).toEqual(numbers.map(() => true));
		return expect(isAllowed?.(toPhoneNumber('13900000000'))).toBe(false);
	});
});

import type { IDataObject } from 'n8n-workflow';

/** One item's form, filled in. */
export interface ItemForm {
	/** The value of a node parameter for this item, with expressions resolved. */
	parameter(name: string): unknown;
	/** The checked value of a field that other fields depend on. @throws FieldError */
	chosen(name: string): unknown;
	/** The options that the user added, by name. */
	options: IDataObject;
	/** An option as it is stored, with its expressions. */
	storedOption(name: string): unknown;
	/** Whether the user entered this field or option, as a whole, as an expression. */
	isExpression(name: string): boolean;
	/** App ID of the credential; empty if it has none. */
	defaultAppId: string;
	/** A key for a purpose, derived from the account's token. */
	keyFor(purpose: string): Buffer;
	/** Whether the request is XML, which cannot carry every character. */
	inXml: boolean;
	/** Whether an AI agent filled in the form. */
	byAgent: boolean;
	/** Whether the workflow runs in production, rather than by hand. */
	inProduction: boolean;
	/** Adds an expiry, in milliseconds since 1970, and the account's signature to an address. */
	signUrl(url: string, expiresAt: number): string;
}

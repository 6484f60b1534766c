import type { IDataObject } from 'n8n-workflow';

import vendorTemplate from './vendorTemplate.json';

/**
 * The vendor's own template, the only one that a trial account may send. The list of an account's
 * templates lacks it. Its text is publicly known; untried against the live service.
 */
export const VENDOR_TEMPLATE: Readonly<IDataObject> = vendorTemplate;

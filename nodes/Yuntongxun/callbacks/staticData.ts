import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** The part of n8n's contexts that gives access to static data. */
export type StaticContext = Pick<IExecuteFunctions, 'getWorkflowStaticData'>;

/**
 * Makes n8n save a member of the workflow's static data when it answers the current request.
 *
 * @param read what to save; called when n8n saves, so that it includes everything that came by then
 */
export function persist(context: StaticContext, name: string, read: () => unknown): void {
	context.getWorkflowStaticData('global')[name] = { toJSON: read };
}

/** A copy of a member of the static data: n8n watches the objects in there. */
export function readStored(context: StaticContext, name: string): unknown {
	const stored = context.getWorkflowStaticData('global')[name];
	return stored === undefined ? undefined : JSON.parse(JSON.stringify(stored));
}

/** n8n's flag for unsaved data, which is not in its interface. */
type Watched = { workflow?: { staticData?: IDataObject & { __dataChanged?: boolean } } };

/** Whether n8n failed to save changes: it answers 200 all the same. */
export function isUnsaved(context: StaticContext): boolean {
	return (context as Watched).workflow?.staticData?.__dataChanged === true;
}

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** What n8n gives to whoever reads or writes static data. */
export type StaticContext = Pick<IExecuteFunctions, 'getWorkflow' | 'getWorkflowStaticData'>;

/**
 * Has n8n write a member of the static data of a workflow with its answer to the delivery under way.
 *
 * @param read what to write; called when n8n saves, so that it takes in all that came until then
 */
export function persist(context: StaticContext, name: string, read: () => unknown): void {
	context.getWorkflowStaticData('global')[name] = { toJSON: read };
}

/** A copy of a member of the static data, as n8n read it: n8n watches every object in there. */
export function readStored(context: StaticContext, name: string): unknown {
	const stored = context.getWorkflowStaticData('global')[name];
	return stored === undefined ? undefined : JSON.parse(JSON.stringify(stored));
}

/** n8n's flag, which its interface does not show. */
type Watched = { workflow?: { staticData?: IDataObject & { __dataChanged?: boolean } } };

/** Whether n8n has not saved what was changed: it answers 200 all the same. */
export function isUnsaved(context: StaticContext): boolean {
	return (context as Watched).workflow?.staticData?.__dataChanged === true;
}

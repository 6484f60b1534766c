/**
 * What n8n 2 tells the assistants that build workflows. n8n 1 does not know `builderHint`, nor do its
 * types, so the descriptions take it in by spreading.
 */
export const ACTION_HINT = {
	builderHint: {
		searchHint:
			'Calls and texts mobile numbers in mainland China. To go on with the result of a call in the same execution, use Call: Make with When the Call Ends on Wait for Result, and a Yuntongxun Trigger in a published workflow. For a sign-in use Verification Code: Send and Check; each needs the same credential.',
		relatedNodes: [
			{
				nodeType: 'n8n-nodes-yuntongxun.yuntongxunTrigger',
				relationHint: 'Receives the results that calls wait for, SMS reports and SMS replies',
			},
		],
	},
};

/** The same for the trigger. */
export const TRIGGER_HINT = {
	builderHint: {
		searchHint:
			'Starts when a call made with Yuntongxun has ended, or when an SMS report or reply arrives. Calls that wait need one published trigger with the same credential.',
		relatedNodes: [
			{
				nodeType: 'n8n-nodes-yuntongxun.yuntongxun',
				relationHint: 'Makes the calls and sends the SMS whose results this trigger receives',
			},
		],
	},
};

/** One object of a request, an answer or a notification: its members by name. */
export interface Members {
	[name: string]: Member;
}

/** Text, an object, or several of one name. The service has no other kinds of value. */
export type Member = string | Members | Member[];

/** Whether a member is an object, rather than text or a list. */
export function isMembers(member: Member | undefined): member is Members {
	return typeof member === 'object' && !Array.isArray(member);
}

/** The text of a member without the blanks around it; empty where there is no such text. */
export function textOf(members: Members, name: string): string {
	const member = Object.prototype.hasOwnProperty.call(members, name) ? members[name] : '';
	return typeof member === 'string' ? member.trim() : '';
}

export { requestViolations, startSimulator } from './startSimulator';
export type { SimulatorControl } from './control';
export type { Simulator, SimulatorOptions } from './startSimulator';
export { NUMBER_TABLE } from './callResults';
export type { CallResultOverrides, NumberBehaviour, PlannedResult } from './callResults';
export type { Alteration } from './alterations';
export { DEFAULT_CA_FOLDER, ensureCertificateAuthority } from './certificate';
export { applicationId, isRegisteredNumber } from './accounts';
export type { Account, AccountCredentials, ApplicationState } from './accounts';
export type { Fault, FaultEffect, FaultMatch, FaultRule } from './faults';
export type { OperationName } from './operations';
export type {
	Acceptance,
	AcceptedCall,
	AcceptedMessage,
	AcceptedSubAccount,
	LocatedViolation,
	RecordedRequest,
	SentNotification,
	SimulatorRecord,
} from './record';
export { PAST_CALL } from './service';
export type { Settings } from './settings';
export type { Violation } from './violation';

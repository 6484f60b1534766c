export { requestViolations, startSimulator } from './startSimulator';
export type { Simulator, SimulatorOptions } from './startSimulator';
export { NUMBER_TABLE } from './callResults';
export type { CallResultOverrides } from './callResults';
export { DEFAULT_CA_FOLDER, ensureCertificateAuthority } from './certificate';
export { applicationId, isRegisteredNumber } from './accounts';
export type { Alteration, FaultEffect, FaultRule } from './faults';
export type { OperationName } from './operations';
export type {
	Acceptance,
	AcceptedCall,
	AcceptedMessage,
	RecordedRequest,
	SentNotification,
} from './record';
export { PAST_CALL } from './service';
export type { Violation } from './violation';

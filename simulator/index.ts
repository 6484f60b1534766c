export { requestViolations, startSimulator } from './startSimulator';
export type { Simulator, SimulatorOptions } from './startSimulator';
export { NUMBER_TABLE } from './callResults';
export type { CallResultOverrides } from './callResults';
export type { FaultRule } from './faults';
export type { OperationName } from './operations';
export type { AcceptedCall, AcceptedMessage } from './record';
export { PAST_CALL } from './service';

/** Electronic identities: the simulator with its test persons. */
export { createIdentitySimulator, type SimulatorOptions } from './simulator.ts';
export { type Scenario, type TestPerson, testPersons } from './test-persons.table.ts';

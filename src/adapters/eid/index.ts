/** Electronic identities: the simulator with its test persons. */
export type { SimulatedPersons } from './person-of.ts';
export { createIdentitySimulator, type SimulatorOptions } from './simulator.ts';
export { type Scenario, type TestPerson, testPersons } from './test-persons.table.ts';

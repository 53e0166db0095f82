/** Simulator of e-ID providers: test persons answer, or fail to, as their numbers say. */
export { type SimulatorOptions, simulatorDriver } from './driver.ts';
export { isTestNumber, type SimulatedPersons } from './person-of.ts';
export { type Scenario, type TestPerson, testPersons } from './test-persons.table.ts';
export type { SimulatorVerdict, SimulatorVerdicts } from './verdicts.ts';

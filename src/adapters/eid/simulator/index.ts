/** Simulator of e-ID providers: test persons respond, or fail to, according to their numbers. */
export { type SimulatorOptions, simulatorDriver } from './driver.ts';
export { isTestNumber, type SimulatedPersons } from './person-of.ts';
export { parseScenarios, type Scenarios } from './scenarios.ts';
export { type Scenario, type TestPerson, testPersons } from './test-persons.table.ts';
export type { SimulatorVerdicts } from './verdict-files.ts';
export { type VerdictFiles, verdictFiles } from './verdict-files.ts';

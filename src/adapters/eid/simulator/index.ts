/** Simulator of e-ID providers: test persons answer, or fail to, as their numbers say. */
export { type SimulatorOptions, simulatorDriver } from './driver.ts';
export { isTestNumber, type SimulatedPersons } from './person-of.ts';
export { parseScenarios, type Scenarios } from './scenarios.ts';
export { type Scenario, type TestPerson, testPersons } from './test-persons.table.ts';
export type { SimulatorVerdicts } from './verdict-files.ts';
export { type VerdictFiles, verdictFiles } from './verdict-files.ts';

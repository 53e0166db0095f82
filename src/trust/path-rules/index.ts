/** The rules for a single certification path. */
export { checkPath, type PathProblem } from './check-path.ts';
export { lacksParameters, parameterSourceOf, withParametersOf } from './inherited-parameters.ts';
export type { InitialPolicies } from './policy-rules.ts';

/** The rules that one certification path must keep; what they are about is bytes of its members. */
export { checkPath, type PathFault, type PathProblem } from './check-path.ts';
export {
  lacksParameters,
  parameterSourceOf,
  withParametersOf,
} from './inherited-parameters.ts';
export type { InitialPolicies } from './policy-rules.ts';

/** What companies know of the compliance of persons and businesses. */
export {
  type ComplianceQuery,
  type ComplianceToolkit,
  complianceToolkit,
} from './compliance-toolkit.ts';
export type { ComplianceRequest, RequirementRequest } from './read-record.ts';

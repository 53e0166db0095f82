/** The compliance register of companies: persons and businesses. */
export { recordByFlow } from './answer-by-flow.ts';
export type { DueQuery, DueRecord } from './check-records.ts';
export {
  type CompliancePorts,
  type ComplianceService,
  complianceOperations,
} from './compliance-service.ts';
export type { ComplianceQuery } from './find-record.ts';
export {
  type ComplianceRequest,
  isEmail,
  isPhone,
  type RequirementRequest,
} from './read-record.ts';

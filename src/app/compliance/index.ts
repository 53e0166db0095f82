/** The compliance register of companies: persons and businesses. */
export {
  type ComplianceQuery,
  type ComplianceService,
  complianceOperations,
} from './compliance-service.ts';
export type { ComplianceRequest, RequirementRequest } from './read-record.ts';

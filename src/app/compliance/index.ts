/** The compliance register of companies: persons and businesses. */
export * from './compliance-service.ts';
export type { ComplianceRequest, RequirementRequest } from './read-record.ts';

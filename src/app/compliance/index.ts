/** What companies know of the compliance of persons and businesses. */
export * from './compliance-service.ts';
export type { ComplianceRequest, RequirementRequest } from './read-record.ts';

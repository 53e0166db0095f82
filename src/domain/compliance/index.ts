/** Compliance records of persons and businesses, and the status that follows from them. */
export type {
  ComplianceChange,
  ComplianceKey,
  ComplianceRecord,
  ComplianceSource,
  PepAcceptance,
  Requirement,
  RiskEvaluation,
} from './record.types.ts';
export {
  type ComplianceRules,
  type ComplianceType,
  complianceTypes,
  type Periods,
  type RiskLevel,
  readComplianceRules,
  riskLevels,
  type SubjectRules,
  usualComplianceRules,
} from './rules.ts';
export {
  addMonths,
  type ComplianceFacts,
  type ComplianceMessage,
  type ComplianceStatus,
  checkCompliance,
  isAhead,
} from './status.ts';

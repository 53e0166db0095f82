/** What companies know of persons and businesses, and what follows from it. */
export {
  type ComplianceMessage,
  type ComplianceStatus,
  checkCompliance,
} from './check-compliance.ts';
export {
  type ComplianceKey,
  type ComplianceRecord,
  type ComplianceType,
  complianceTypes,
  type Requirement,
} from './record.ts';

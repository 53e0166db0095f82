export { blocksOfFinding, buildFinding, type Finding, type FindingCode } from './finding.ts';
export type { FindingKind, Severity } from './finding-codes.table.ts';
export { findingKinds } from './finding-codes.table.ts';

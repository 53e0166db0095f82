import type { ErrorCode } from '../../base/errors.ts';
import type { BuildingBlockName } from '../../base/words/index.ts';
import { type FindingKind, findingKinds, type Severity } from './finding-codes.table.ts';

/** Code of a finding: one of docs/findings.md, or one of the errors that time-stamps have. */
export type FindingCode = keyof typeof findingKinds | Extract<ErrorCode, `tsa.${string}`>;

/** One thing that the verifier noticed. */
export interface Finding {
  /** Stable dotted name of docs/findings.md: `signature.digest.mismatch`, … */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Expected and found, for people. */
  readonly message: string;
}

const kinds: Readonly<Partial<Record<string, FindingKind>>> = findingKinds;

/** A finding with its usual weight, or with another one that its code can have. */
export function buildFinding(code: FindingCode, message: string, severity?: Severity): Finding {
  return { code, severity: severity ?? kinds[code]?.severity ?? 'warning', message };
}

/** Blocks that a finding can decide. */
export function blocksOfFinding(code: string): readonly BuildingBlockName[] {
  if (code.startsWith('tsa.')) return ['past-validation', 'proof-of-existence'];
  return kinds[code]?.blocks ?? [];
}

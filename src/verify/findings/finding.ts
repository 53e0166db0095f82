import type { ErrorCode } from '../../base/errors.ts';
import type { BuildingBlockName } from '../../base/words/index.ts';
import { type FindingKind, findingKinds, type Severity } from './finding-codes.table.ts';

/** Code of a finding: one of docs/findings.md, or an error code of time-stamps. */
export type FindingCode = keyof typeof findingKinds | Extract<ErrorCode, `tsa.${string}`>;

/** One observation of the verifier. */
export interface Finding {
  /** Stable dotted code of docs/findings.md: `signature.digest.mismatch`, … */
  readonly code: FindingCode;
  readonly severity: Severity;
  /** Human-readable description of what was expected and found. */
  readonly message: string;
}

const kinds: Readonly<Partial<Record<string, FindingKind>>> = findingKinds;

/** Creates a finding with its default severity, or with the alternative one of its code. */
export function buildFinding(code: FindingCode, message: string, severity?: Severity): Finding {
  return { code, severity: severity ?? kinds[code]?.severity ?? 'warning', message };
}

/** Building blocks that a finding can decide. */
export function blocksOfFinding(code: string): readonly BuildingBlockName[] {
  if (code.startsWith('tsa.')) return ['past-validation', 'proof-of-existence'];
  return kinds[code]?.blocks ?? [];
}

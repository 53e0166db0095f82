import { defined } from '../../../base/defined.ts';
import type { SealLevel } from '../../../base/level.ts';
import {
  type PlannedCertificate,
  type PlanProblem,
  planValidationData,
  problemOf,
} from '../../../seal/plan-validation-data.ts';
import type { ValidationData } from '../../../seal/validation-data.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import type { CertificateToCheck } from '../../../verify/pdf/index.ts';
import type { SignatureConclusion } from '../../../verify/report/index.ts';
import type { DocumentFormat } from '../document-format.ts';
import { findLateSigner } from '../long-term-steps.ts';
import { type ArchivePorts, checkContext } from '../seal-ports.ts';

export type {
  PlannedCertificate,
  PlannedStatus,
  PlanProblem,
} from '../../../seal/plan-validation-data.ts';

/** An addition that archiving makes to a signature. */
export type PlannedStep = 'timestamp' | 'validation-data' | 'archive-timestamp';

/** One signature or time-stamp, and the additions it needs. */
export interface PlannedSignature {
  /** Field, Id, file or position that identifies it in messages. */
  readonly name: string;
  readonly kind: 'signature' | 'document-timestamp';
  /** RFC 4514 name of its certificate. */
  readonly signer?: string;
  /** Absent if it meets no baseline profile. */
  readonly level?: SealLevel;
  /** False: it is left unchanged. */
  readonly intact: boolean;
  /** Additions to make; `timestamp`: it has no valid time-stamp that proves its existence. */
  readonly missing: readonly PlannedStep[];
  /** Certificates of it and its time-stamps, each with the revocation sources to query. */
  readonly certificates: readonly PlannedCertificate[];
  /** Errors that archiving would report for this signature; empty if none is known. */
  readonly problems: readonly PlanProblem[];
}

/** The effect of archiving a document, determined without sending a request or writing anything. */
export interface ArchivePlan {
  readonly format: DocumentFormat;
  /** False if archiving is known to fail. If true, data to be fetched may still be missing. */
  readonly possible: boolean;
  /** Number of time-stamps that would be requested. */
  readonly timestampRequests: number;
  readonly signatures: readonly PlannedSignature[];
  /** Reasons that the document cannot be archived at all. */
  readonly problems: readonly PlanProblem[];
  /** Warnings for the caller's user. */
  readonly warnings: readonly string[];
}

/** A signature to plan, with its report. */
export interface SignatureToPlan {
  readonly name: string;
  readonly report: SignatureConclusion & { readonly kind: PlannedSignature['kind'] };
  /** Absent for a signature that remains unchanged. */
  readonly needs?: {
    readonly certificates: readonly CertificateToCheck[];
    readonly pool: CertificatePool;
    /** Validation data contained in the document. */
    readonly present: ValidationData;
    readonly isStamped: boolean;
  };
}

/** Determines the additions that one signature needs; no request is sent. */
export function planSignature(
  { name, report, needs }: SignatureToPlan,
  ports: ArchivePorts,
): PlannedSignature {
  const { kind, level, signer } = report;
  const intact = report.intact === true;
  const facts = { name, kind, ...defined({ signer: signer?.subject, level }), intact };
  if (needs === undefined) return { ...facts, missing: [], certificates: [], problems: [] };
  const { certificates, pool, present, isStamped } = needs;
  const source = ports.revocation ?? { find: async () => ({ ocsp: [], crls: [] }) };
  const context = { ...checkContext(ports, pool), present, revocation: source };
  const data = planValidationData(certificates, context);
  const isOpen = data.certificates.some(({ revocation: status }) =>
    /own|fetch|missing/.test(status),
  );
  const missing: PlannedStep[] = ['archive-timestamp'];
  if (isOpen || !isStamped) missing.unshift('validation-data');
  if (!isStamped) missing.unshift('timestamp');
  const late = data.problems.length > 0 ? undefined : findLateSigner(name, report);
  const problems = [...data.problems, ...(late === undefined ? [] : [late])].map(problemOf);
  return { ...facts, missing, certificates: data.certificates, problems };
}

/** Combines planned signatures into the plan of a document. */
export function planOf(
  format: ArchivePlan['format'],
  timestampRequests: number,
  signatures: readonly PlannedSignature[],
  warnings: readonly string[],
): ArchivePlan {
  const possible = signatures.every(({ problems }) => problems.length === 0);
  return { format, possible, timestampRequests, signatures, problems: [], warnings };
}

/**
 * The plan of a document that cannot be archived.
 *
 * @throws an error that is not ours
 */
export function refusedPlan(
  format: ArchivePlan['format'],
  error: unknown,
  warnings: readonly string[] = [],
): ArchivePlan {
  const problems = [problemOf(error)];
  return { format, possible: false, timestampRequests: 0, signatures: [], problems, warnings };
}

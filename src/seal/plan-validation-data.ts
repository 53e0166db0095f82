import { hexOf } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { type InnsigliError, isInnsigliError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { type Certificate, describeName } from '../formats/x509/index.ts';
import { findPath } from '../trust/path.ts';
import { needsNoStatus } from '../trust/revocation/index.ts';
import { addressesOf, missingPath, missingRevocation } from './missing-data.ts';
import { type CollectionContext, revokedError, statusAtHand } from './validation-data.ts';

/** Revocation status of a certificate as far as it can be determined without a request. */
export type PlannedStatus =
  /** No data needed: the certificate states so itself, or the path ends there. */
  | 'not-needed'
  /** The document, or data from the user, contains a sufficiently recent statement. */
  | 'present'
  /** The source generates it itself, as the development trust does. No request is sent. */
  | 'own'
  /** Its addresses would be queried. */
  | 'fetch'
  /** It contains no address, and no usable statement is available. */
  | 'missing'
  | 'revoked';

/** A certificate whose validation data a document needs. */
export interface PlannedCertificate {
  /** RFC 4514 text, as in verification reports. */
  readonly subject: string;
  /** Hexadecimal. */
  readonly serialNumber: string;
  readonly revocation: PlannedStatus;
  /** Addresses to query, in this order: `OCSP http://…`, `CRL http://…`. */
  readonly addresses: readonly string[];
}

/** Validation data that augmentation needs for some certificates. */
export interface PlannedData {
  readonly certificates: readonly PlannedCertificate[];
  /** Expected errors of augmentation. Empty if none is known. */
  readonly problems: readonly InnsigliError[];
}

/**
 * Determines the data that `collectValidationData` needs for the paths of the certificates, and the
 * addresses it would query. Uses only the available data and sends no request. Issuers of delegated
 * responders that have not yet responded are unknown.
 */
export function planValidationData(
  subjects: readonly { readonly certificate: Certificate; readonly atMs: number }[],
  context: CollectionContext,
): PlannedData {
  const plan = { certificates: new Map<Certificate, PlannedCertificate>(), problems: [] };
  for (const { certificate, atMs } of subjects) planPath(certificate, atMs, context, plan, 0);
  return { certificates: [...plan.certificates.values()], problems: plan.problems };
}

interface Plan {
  readonly certificates: Map<Certificate, PlannedCertificate>;
  readonly problems: InnsigliError[];
}

function planPath(
  certificate: Certificate,
  atMs: number,
  context: CollectionContext,
  plan: Plan,
  depth: number,
): void {
  const { anchors, pool } = context;
  const result = findPath({ certificate, pool, anchors, atMs });
  if (!result.valid) {
    if (!plan.certificates.has(certificate)) note(certificate, 'missing', [], plan);
    const problem = missingPath(certificate, result);
    // Two time-stamps of one authority have the same problem.
    if (plan.problems.every(({ message }) => message !== problem.message)) {
      plan.problems.push(problem);
    }
    return;
  }
  for (const [index, member] of result.path.entries()) {
    const issuer = result.path[index + 1];
    if (plan.certificates.has(member)) continue;
    if (issuer === undefined || (index === 0 && needsNoStatus(member))) {
      note(member, 'not-needed', [], plan);
    } else planStatus(member, issuer, atMs, context, plan, depth);
  }
}

function planStatus(
  certificate: Certificate,
  issuer: Certificate,
  atMs: number,
  context: CollectionContext,
  plan: Plan,
  depth: number,
): void {
  const { verdict, isFinal, isSound } = statusAtHand(certificate, issuer, atMs, context);
  const addresses = addressesOf(certificate);
  if (isFinal && verdict.status === 'revoked' && (verdict.revokedAtMs ?? 0) <= atMs) {
    note(certificate, 'revoked', [], plan);
    plan.problems.push(revokedError(certificate));
    return;
  }
  if (isFinal || (isSound && addresses.length === 0)) {
    note(certificate, 'present', [], plan);
    const { responder } = verdict;
    if (responder === undefined || responder === issuer || depth >= limits.pathLength) return;
    if (!responder.extensions.ocspNoCheck && verdict.isListed !== true) {
      planPath(responder, context.nowMs, context, plan, depth + 1);
    }
    return;
  }
  if (context.revocation.makesItself?.(certificate, issuer) === true) {
    note(certificate, 'own', [], plan);
    return;
  }
  note(certificate, addresses.length === 0 ? 'missing' : 'fetch', addresses, plan);
  if (addresses.length > 0) return;
  const why = verdict.weakness ?? verdict.message;
  plan.problems.push(missingRevocation({ certificate, issuer, why, asked: [] }));
}

function note(
  certificate: Certificate,
  revocation: PlannedStatus,
  addresses: readonly string[],
  { certificates }: Plan,
): void {
  certificates.set(certificate, {
    subject: describeName(certificate.subjectDer),
    serialNumber: hexOf(certificate.serialNumber),
    revocation,
    addresses,
  });
}

/** An error as shown in plans: code, message, hint. */
export interface PlanProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

/** The members of an error of this library. @throws any other error */
export function problemOf(error: unknown): PlanProblem {
  if (!isInnsigliError(error)) throw error;
  const { code, message, hint } = error;
  return { code, message, ...defined({ hint }) };
}

import { asBuffer } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { type Certificate, parseOcspResponse } from '../formats/x509/index.ts';
import type { AlgorithmTable } from '../trust/algorithms/index.ts';
import { type CertificatePool, findPath } from '../trust/path.ts';
import {
  checkRevocation,
  type IsListedResponder,
  needsNoStatus,
  type RevocationVerdict,
} from '../trust/revocation/index.ts';
import { missingPath, missingRevocation, plainSubject } from './missing-data.ts';
import type { RevocationData, RevocationRequest, RevocationSource } from './ports.ts';

/** Verified validation data for a later validator. All values are DER, without duplicates. */
export interface ValidationData {
  readonly certificates: readonly Uint8Array[];
  readonly ocsp: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/** Sources of validation data, and the anchors of the paths. */
export interface CollectionContext {
  readonly anchors: readonly Certificate[];
  readonly pool: CertificatePool;
  readonly revocation: RevocationSource;
  /** Data that the document already contains, for augmentation. */
  readonly present?: RevocationData;
  readonly nowMs: number;
  /** Expiry dates of algorithms. Default: the table of `trust`. */
  readonly algorithms?: AlgorithmTable;
  /** Whether trusted lists name a responder, to accept its OCSP responses. Default: none. */
  readonly isListedResponder?: IsListedResponder | undefined;
}

const NOTHING: RevocationData = { ocsp: [], crls: [] };

class Collection {
  readonly certificates = new Map<string, Uint8Array>();
  readonly ocsp = new Map<string, Uint8Array>();
  readonly crls = new Map<string, Uint8Array>();
  readonly visited = new Set<Certificate>();
}

/**
 * Collects certificates, OCSP responses and CRLs for the paths of the given certificates, including
 * the path of every delegated responder. Each response is verified before it is used.
 *
 * @param subjects each with the time at which its path must be valid
 * @throws certificate.untrusted if a path leads to no anchor
 * @throws certificate.revoked, revocation.missing, network.*
 * @spec ETSI EN 319 142-1 §5.4.2.2
 */
export async function collectValidationData(
  subjects: readonly { readonly certificate: Certificate; readonly atMs: number }[],
  context: CollectionContext,
): Promise<ValidationData> {
  const collection = new Collection();
  for (const { certificate, atMs } of subjects) {
    await collectPath(certificate, atMs, context, collection, 0);
  }
  return {
    certificates: [...collection.certificates.values()],
    ocsp: [...collection.ocsp.values()],
    crls: [...collection.crls.values()],
  };
}

async function collectPath(
  certificate: Certificate,
  atMs: number,
  context: CollectionContext,
  collection: Collection,
  depth: number,
): Promise<void> {
  const { anchors, pool } = context;
  const result = findPath({ certificate, pool, anchors, atMs });
  if (!result.valid) throw missingPath(certificate, result);
  for (const [index, member] of result.path.entries()) {
    remember(collection.certificates, member.der);
    const issuer = result.path[index + 1];
    if (issuer === undefined || collection.visited.has(member)) continue;
    collection.visited.add(member);
    if (index === 0 && needsNoStatus(member)) continue;
    await collectRevocation(member, issuer, atMs, context, collection, depth);
  }
}

async function collectRevocation(
  certificate: Certificate,
  issuer: Certificate,
  atMs: number,
  context: CollectionContext,
  collection: Collection,
  depth: number,
): Promise<void> {
  const { verdict, asked } = await findStatus(certificate, issuer, atMs, context);
  if (verdict.status === 'revoked' && (verdict.revokedAtMs ?? 0) <= atMs) {
    throw revokedError(certificate);
  }
  if (verdict.der === undefined || verdict.source === undefined || verdict.status === 'unknown') {
    throw missingRevocation({ certificate, issuer, why: verdict.message, asked });
  }
  if (verdict.weakness !== undefined) {
    throw missingRevocation({ certificate, issuer, why: verdict.weakness, asked });
  }
  remember(verdict.source === 'ocsp' ? collection.ocsp : collection.crls, verdict.der);
  for (const der of verdict.further ?? []) remember(collection.crls, der);
  if (verdict.source === 'ocsp') {
    for (const der of parseOcspResponse(verdict.der).basic?.certificates ?? []) {
      context.pool.add(der);
    }
  }
  const { responder } = verdict;
  if (responder === undefined || responder === issuer || depth >= limits.pathLength) return;
  remember(collection.certificates, responder.der);
  // A responder named by a trusted list needs no path to an anchor, and no revocation status.
  if (responder.extensions.ocspNoCheck || verdict.isListed === true) return;
  await collectPath(responder, context.nowMs, context, collection, depth + 1);
}

/** Revocation status of a certificate, and the addresses queried for it. */
interface Status {
  readonly verdict: RevocationVerdict;
  readonly asked: readonly RevocationRequest[];
}

/**
 * Data of the document and from the caller is used if it was issued after the time to be proven.
 * Older data is used only if the source has none, as for certificates that expired long ago.
 */
async function findStatus(
  certificate: Certificate,
  issuer: Certificate,
  atMs: number,
  context: CollectionContext,
): Promise<Status> {
  const old = statusAtHand(certificate, issuer, atMs, context);
  if (old.isFinal) return { verdict: old.verdict, asked: [] };
  try {
    const data = await find(certificate, issuer, context);
    const fresh = checkRevocation({ ...questionOf(certificate, issuer, context), data, atMs });
    const verdict = !isSound(fresh) && old.isSound ? old.verdict : fresh;
    return { verdict, asked: data.asked ?? [] };
  } catch (error) {
    if (isInnsigliError(error) && old.isSound) return { verdict: old.verdict, asked: [] };
    throw error;
  }
}

/** Revocation status of a certificate according to the data in the document and from the caller. */
export interface StatusAtHand {
  readonly verdict: RevocationVerdict;
  /** No other source needs to be queried. */
  readonly isFinal: boolean;
  /** Usable unless another source has more recent data. */
  readonly isSound: boolean;
}

/** Determines the status of a certificate from the available data. Sends no request. */
export function statusAtHand(
  certificate: Certificate,
  issuer: Certificate,
  atMs: number,
  context: CollectionContext,
): StatusAtHand {
  const data = dataAtHand(context);
  const verdict = checkRevocation({ ...questionOf(certificate, issuer, context), data, atMs });
  const isLate = isSound(verdict) && (verdict.thisUpdateMs ?? 0) >= atMs;
  // A known revocation is final, whatever other sources report; a hold may have been lifted.
  const isRevoked = verdict.status === 'revoked' && verdict.reason !== 'certificateHold';
  return { verdict, isFinal: isLate || isRevoked, isSound: isSound(verdict) };
}

function questionOf(certificate: Certificate, issuer: Certificate, context: CollectionContext) {
  const { anchors, pool, nowMs, algorithms, isListedResponder } = context;
  return {
    ...{ certificate, issuer, pool, anchors, nowMs },
    ...defined({ algorithms, isListedResponder }),
  };
}

/** The error for a certificate that was revoked at the time it had to be valid. */
export function revokedError(certificate: Certificate): InnsigliError {
  return new InnsigliError('certificate.revoked', `${plainSubject(certificate)} is revoked`, {
    hint: 'use a certificate that is not revoked',
  });
}

function isSound({ status, weakness }: RevocationVerdict): boolean {
  return status !== 'unknown' && weakness === undefined;
}

function dataAtHand({ present = NOTHING, revocation }: CollectionContext): RevocationData {
  const { ocsp, crls } = revocation.atHand ?? NOTHING;
  return { ocsp: [...present.ocsp, ...ocsp], crls: [...present.crls, ...crls] };
}

async function find(
  certificate: Certificate,
  issuer: Certificate,
  context: CollectionContext,
): Promise<RevocationData> {
  try {
    return await context.revocation.find(certificate, issuer);
  } catch (error) {
    const asked = isInnsigliError(error) ? error.findings : [];
    const isNetwork = isInnsigliError(error) && error.code.startsWith('network.');
    const why = isInnsigliError(error) ? error.message : 'its source failed';
    throw missingRevocation({
      ...{ certificate, issuer, why, asked },
      ...(isNetwork ? { cause: error } : {}),
    });
  }
}

function remember(values: Map<string, Uint8Array>, value: Uint8Array): void {
  values.set(asBuffer(value).toString('latin1'), value);
}

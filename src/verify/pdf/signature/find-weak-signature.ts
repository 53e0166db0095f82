import { defined } from '../../../base/defined.ts';
import type { PdfFile } from '../../../formats/pdf/index.ts';
import { findWeakProof } from '../../../trust/algorithms/index.ts';
import { findPath } from '../../../trust/path.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import { findWeakTimestamp } from '../../../trust/timestamp.ts';
import { signatureTimestamps } from '../../cms/index.ts';
import { type StatusContext, verifyTokens } from '../../existence/index.ts';
import { collectSignatureObjects } from '../signature-objects.ts';
import { verifyCmsSignature } from './cms-signature.ts';

/** Part of a signature that is too weak. */
export interface WeakSignature {
  readonly what: 'signature' | 'timestamp';
  /** What was expected and found. */
  readonly message: string;
}

/**
 * The part of the intact signature in one field, or of its time-stamps, that is too weak. Undefined
 * if all are strong enough. Known issuers are checked, whether they are trusted or not.
 */
export function findWeakSignature(
  file: PdfFile,
  field: string,
  context: StatusContext,
): WeakSignature | undefined {
  const evidence = collectSignatureObjects(file).find((item) => item.field === field);
  if (evidence === undefined) return undefined;
  const { anchors, nowMs, algorithms } = context;
  const when = { atMs: nowMs, ...defined({ table: algorithms }) };
  const pool = createCertificatePool([], context.pool);
  const cms = verifyCmsSignature(evidence, pool);
  const { certificate, signerInfo } = cms;
  if (!cms.intact || certificate === undefined || signerInfo === undefined) return undefined;
  const { path } = findPath({ certificate, pool, anchors, atMs: nowMs });
  const algorithm = signerInfo.signatureAlgorithm;
  const proof = { certificate, algorithm, digests: [cms.contentDigest], path };
  const weakness = findWeakProof(proof, when);
  if (weakness !== undefined) return { what: 'signature', message: weakness };
  const tokens = signatureTimestamps(signerInfo);
  for (const verdict of verifyTokens(tokens, signerInfo.signature, { anchors, nowMs, pool })) {
    const message = verdict.valid ? findWeakTimestamp(verdict, verdict.path, when) : undefined;
    if (message !== undefined) return { what: 'timestamp', message };
  }
  return undefined;
}

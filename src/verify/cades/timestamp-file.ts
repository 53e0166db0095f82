import type { ByteSource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { contentDigest } from '../../trust/content-digest.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../../trust/timestamp.ts';
import { type ProofOfExistence, proofOfExistence, type StatusContext } from '../existence/index.ts';
import { describeTimestampQualification } from '../qualification/index.ts';
import {
  type CmsSignatureReport,
  type Finding,
  tokenObjects,
  withObjects,
} from '../report/index.ts';
import { describeSigner } from '../signer-summary.ts';
import { anchorOf, checkToken, describeStampIntegrity } from '../timestamp-summary.ts';
import { tokenData } from './cades-values.ts';

/** Context for verifying a time-stamp file. */
export interface TimestampFileContext extends StatusContext {
  /** Name of the content, for the report. */
  readonly contentName?: string;
  /** Time at which the token existed, proven by a later time-stamp over it. Default: now. */
  readonly provedMs?: number;
}

/** A time-stamp file that covers signatures, with its report. */
export interface CheckedTimestampFile {
  readonly verdict: TimestampVerdict;
  readonly proof: ProofOfExistence;
  readonly report: CmsSignatureReport;
}

/**
 * Verifies a stand-alone time-stamp token over a file: `META-INF/timestamp.tst` over the document
 * of an ASiC-S, or the token over an ASiCArchiveManifest. If several cover each other, verify the
 * latest first and pass its proven time as `provedMs` of the previous one.
 *
 * @spec ETSI EN 319 162-1 §4.3.3.2, §4.4.4
 */
export function verifyTimestampFile(
  token: Uint8Array,
  content: ByteSource,
  context: TimestampFileContext,
): CheckedTimestampFile {
  const { anchors, pool, nowMs, provedMs = nowMs } = context;
  const data = tokenData(token);
  for (const der of data.certificates) pool.add(der);
  const imprint = contentDigest(content);
  const verdict = verifyTimestampToken({ token, imprint, anchors, pool, nowMs });
  const proof = proofOfExistence(verdict, data, provedMs, context);
  const objects = withObjects(() => tokenObjects(token, verdict, data));
  const report = { ...reportOn(verdict, proof, context), ...objects };
  return { verdict, proof, report };
}

function reportOn(
  verdict: TimestampVerdict,
  proof: ProofOfExistence,
  context: TimestampFileContext,
): CmsSignatureReport {
  const { contentName, nowMs } = context;
  const { info, certificate, trusted, signerInfo, message, problem } = verdict;
  const findings: Finding[] = [];
  const algorithm = signerInfo?.signatureAlgorithm;
  const integrity = describeStampIntegrity(verdict);
  const isIntact = integrity.intact === true;
  const changed = problem === 'tsa.imprint.mismatch';
  return {
    kind: 'document-timestamp',
    form: 'timestamp',
    ...checkToken(verdict, proof, findings),
    ...integrity,
    trusted,
    ...(algorithm && { algorithm: `${algorithm.scheme} ${algorithm.digest}` }),
    ...defined({ signer: certificate === undefined ? undefined : describeSigner(certificate) }),
    ...anchorOf(verdict),
    ...describeTimestampQualification(context, verdict),
    bestTime: isoTime(info?.genTimeMs ?? nowMs),
    timeProved: proof.timeMs !== undefined,
    timestamps: [],
    findings,
    references: [
      {
        uri: contentName,
        scope: 'file',
        ...defined({ target: contentName }),
        digest: info?.digest ?? '',
        status: isIntact ? 'valid' : changed ? 'changed' : 'refused',
        ...(isIntact ? {} : { message }),
      },
    ],
  };
}

import { type ByteSource, equalBytes, memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt, onCode } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  parseSignedData,
  readCmsFile,
  readMessageDigest,
  readSigningCertificate,
  type SignedData,
  type SignerInfo,
  trimContents,
} from '../../formats/cms/index.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { digestOf } from '../../trust/signature.ts';
import { listSignerCertificates } from '../../trust/signer-certificates.ts';
import { listUncheckedRevocation, type StatusContext } from '../existence/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { VerificationContext } from '../pdf/index.ts';
import type { CmsSignatureReport, CmsVerificationReport, Finding } from '../report/index.ts';
import { describeSigner } from '../signer-summary.ts';
import { worstOf } from '../worst-of.ts';
import { verifyTimestampFile } from './timestamp-file.ts';
import { verifyCades } from './verify-cades.ts';

/** A file that a detached signature may cover. */
export interface FileBeside {
  readonly name: string;
  readonly content: Uint8Array;
}

const notJudged: readonly string[] = [
  'evidence records',
  'signature policies',
  'qualified status and trusted lists',
];

/**
 * Verifies every signer of a CMS file, or the time-stamp that it contains: cryptographic checks,
 * path to an anchor, level. The content is embedded or detached. Negative results are values of the
 * report.
 *
 * @param beside candidates for the content of a detached signature
 * @throws cms.invalid if the file is not SignedData
 * @spec RFC 5652 §5, ETSI EN 319 122-1 §6, EN 319 102-1 §5
 */
export function verifyCmsFile(
  file: Uint8Array,
  beside: readonly FileBeside[],
  { anchors, pool, nowMs, ...context }: VerificationContext,
): CmsVerificationReport {
  const status = { ...context, anchors, nowMs, pool: createCertificatePool(anchors, pool) };
  const whole = readCmsFile(file);
  const bytes = trimContents(whole);
  const signedData = parseWithinLimits(bytes);
  const found = checkAll(bytes, signedData, beside, status);
  const rest = whole.subarray(bytes.length);
  const signatures = rest.length === 0 ? found : found.map((each) => withRest(each, rest));
  return {
    v: 1,
    format: 'cms',
    indication: worstOf(signatures),
    coverage: signatures.some(({ indication }) => indication === 'TOTAL-PASSED') ? 'full' : 'none',
    verifiedAt: isoTime(nowMs),
    signatures,
    enveloping: signedData?.content !== undefined,
    notJudged: [...listUncheckedRevocation(context.revocation), ...notJudged],
  };
}

/** Undefined for a SignedData that exceeds a limit. */
function parseWithinLimits(bytes: Uint8Array): SignedData | undefined {
  return attempt(() => parseSignedData(bytes), onCode('limit.exceeded'));
}

/** Reports bytes after a signature, which some programs also read. A line end is harmless. */
function withRest(report: CmsSignatureReport, rest: Uint8Array): CmsSignatureReport {
  const isBlank = rest.every((byte) => blanks.has(byte));
  const message = `${rest.length} bytes follow the signature in its file`;
  const severity = isBlank ? 'info' : 'error';
  const finding: Finding = buildFinding('signature.cms.trailing', message, severity);
  const noted = { ...report, findings: [...report.findings, finding] };
  if (isBlank || report.indication !== 'TOTAL-PASSED') return noted;
  return { ...noted, indication: 'INDETERMINATE', subIndication: 'FORMAT_FAILURE' };
}

/** Space, tab, line feed, carriage return. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The content of a CMS file, and its origin. */
export interface SignedFile {
  /** Undefined for embedded content that is not also given as a file. */
  readonly name?: string;
  readonly source: ByteSource;
}

/** The signed content: embedded, or the file with the stated digest. Undefined if unavailable. */
export function findSignedContent(
  { content, contentType, signerInfos }: SignedData,
  beside: readonly FileBeside[],
): SignedFile | undefined {
  const [only, ...others] = beside;
  const isStamp = contentType === oids.tstInfo;
  if (content !== undefined && !isStamp) {
    const same = beside.find((each) => equalBytes(each.content, content));
    return { ...defined({ name: same?.name }), source: memorySource(same?.content ?? content) };
  }
  const isSigned = ({ content: bytes }: FileBeside) => signerInfos.some((one) => fits(one, bytes));
  const found = isStamp || others.length === 0 ? only : (beside.find(isSigned) ?? only);
  return found && { name: found.name, source: memorySource(found.content) };
}

function fits(signerInfo: SignerInfo, content: Uint8Array): boolean {
  const { digest } = signerInfo;
  const stated = readMessageDigest(signerInfo);
  return (
    digest !== undefined && stated !== undefined && equalBytes(stated, digestOf(digest, content))
  );
}

function checkAll(
  bytes: Uint8Array,
  signedData: SignedData | undefined,
  beside: readonly FileBeside[],
  status: StatusContext,
): readonly CmsSignatureReport[] {
  // Data that anyone can add refutes nothing: the report states that there is too much.
  if (signedData === undefined) return verifyCades(bytes, memorySource(new Uint8Array()), status);
  if (signedData.signerInfos.length === 0) return [];
  const content = findSignedContent(signedData, beside);
  if (content === undefined) {
    for (const der of signedData.certificates) status.pool.add(der);
    return signedData.signerInfos.map((one) => withoutContent(one, signedData, status));
  }
  const context = { ...status, ...defined({ contentName: content.name }) };
  if (signedData.contentType !== oids.tstInfo) return verifyCades(bytes, content.source, context);
  return [verifyTimestampFile(bytes, content.source, context).report];
}

function withoutContent(
  signerInfo: SignerInfo,
  signedData: SignedData,
  { pool, nowMs }: StatusContext,
): CmsSignatureReport {
  const isStamp = signedData.contentType === oids.tstInfo;
  const isBound = readSigningCertificate(signerInfo).length > 0;
  const { candidates } = listSignerCertificates(signerInfo, signedData.certificates, pool);
  const [certificate] = candidates;
  const message = 'the signed file is neither embedded nor supplied';
  const digest = signerInfo.digest ?? signerInfo.digestOid;
  return {
    kind: isStamp ? 'document-timestamp' : 'signature',
    form: isStamp ? 'timestamp' : isBound ? 'cades' : 'cms',
    indication: 'INDETERMINATE',
    subIndication: 'SIGNED_DATA_NOT_FOUND',
    intact: false,
    trusted: false,
    ...defined({ signer: certificate && describeSigner(certificate) }),
    bestTime: isoTime(nowMs),
    timeProved: false,
    timestamps: [],
    findings: [buildFinding('signature.content.missing', message)],
    references: [{ uri: undefined, scope: 'file', digest, status: 'missing', message }],
  };
}

import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { addValidationData } from '../../seal/document-security-store.ts';
import { stampPdf } from '../../seal/document-timestamp.ts';
import { expiredHint } from '../../seal/missing-data.ts';
import type { TimestampContext } from '../../seal/timestamp-client.ts';
import { collectValidationData } from '../../seal/validation-data.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { readDocumentSecurityStore } from '../../verify/existence/index.ts';
import type { SignatureConclusion, TimestampSummary } from '../../verify/report/index.ts';
import { chooseTimestampField } from './pdf/check-permission.ts';
import { type ArchivePorts, checkContext, requireRevocation } from './seal-ports.ts';

/**
 * Authority, trust anchors and algorithms for the time-stamps of a level.
 *
 * @throws tsa.missing if no authority is configured
 */
export function timestampContext(
  ports: ArchivePorts,
  pool: CertificatePool,
  level: SealLevel,
): TimestampContext {
  const { authority, anchors, random, now, algorithms, stamped } = ports;
  if (authority === undefined) {
    const message = `${level} needs a time-stamp authority, but none is configured`;
    const hint = 'name one (--tsa URL, timestampAuthority of the library), or seal at level B-B';
    throw new InnsigliError('tsa.missing', message, { hint });
  }
  return { authority, anchors, pool, random, now, ...defined({ algorithms, stamped }) };
}

/**
 * Returns the incremental update with the validation data of the certificates; undefined if the
 * document has all of it. With `useStored`, responses in the document are used if they are late
 * enough.
 *
 * @throws certificate.untrusted, certificate.revoked, revocation.missing, network.*
 */
export async function addLongTermData(
  file: PdfFile,
  subjects: readonly { readonly certificate: Certificate; readonly atMs: number }[],
  ports: ArchivePorts,
  pool: CertificatePool,
  useStored = false,
): Promise<Uint8Array | undefined> {
  const data = await collectValidationData(subjects, {
    ...checkContext(ports, pool),
    revocation: requireRevocation(ports),
    ...(useStored ? { present: readDocumentSecurityStore(file) } : {}),
  });
  return addValidationData(file, data);
}

/**
 * Returns the incremental update with a document time-stamp.
 *
 * @throws tsa.*
 */
export async function addTimestamp(
  file: PdfFile,
  timestamps: TimestampContext,
): Promise<Uint8Array> {
  const { container } = await stampPdf(file, chooseTimestampField(file), timestamps);
  return container.tail;
}

/** Error for an invalid archive time-stamp: a new one over it would make it look like proof. */
export function brokenArchive(signature: string, reason = 'it is not valid'): InnsigliError {
  return new InnsigliError(
    'archive.timestamp.broken',
    `an archive time-stamp of the signature ${signature} is not valid: ${reason}; nothing was ` +
      'written',
    { hint: 'find the fault with innsigli verify, then ask for an undamaged copy' },
  );
}

/**
 * Requires that no archive time-stamp of the signature is invalid; one of an unsupported form is
 * permitted.
 *
 * @throws archive.timestamp.broken
 */
export function requireSoundArchive(
  signature: string,
  timestamps: readonly TimestampSummary[],
): void {
  for (const { covers, valid, problem, message } of timestamps) {
    if (valid || covers !== 'archive' || problem === 'tsa.imprint.unknown') continue;
    throw brokenArchive(signature, message);
  }
}

/** A signature of an augmented document. */
export interface AugmentedSignature {
  /** Name of the signature in messages. */
  readonly name: string;
  /** Its level before; absent if it meets no baseline profile. */
  readonly before: SealLevel | undefined;
  /** Its current verification report. */
  readonly report: Pick<
    SignatureConclusion,
    'level' | 'indication' | 'subIndication' | 'findings' | 'signer' | 'bestTime'
  >;
  /** Property of its form that keeps it below the level, if any. */
  readonly form?: string | undefined;
}

/**
 * Returns `B-LTA` if every signature has reached it. A signature that meets no baseline profile has
 * no level: it is preserved nevertheless, with a warning, and no level is claimed for the document.
 * A higher level does not make an invalid signature valid.
 *
 * @throws certificate.expired if no proof of existence falls within the validity of a certificate
 * @throws seal.selfcheck.failed if a baseline signature has not reached the level
 */
export function noteLevels(
  signatures: readonly AugmentedSignature[],
  warnings: string[],
): { readonly level?: SealLevel } {
  let isReached = true;
  for (const { name, before, report, form } of signatures) {
    requireProvedTime(name, report);
    noteConclusion(name, report, warnings);
    if (report.level === 'B-LTA') continue;
    if (before !== undefined && form === undefined) {
      const message = `the signature ${name}: expected B-LTA, found ${report.level ?? 'none'}`;
      throw new InnsigliError('seal.selfcheck.failed', message);
    }
    isReached = false;
    const why = form === undefined ? '' : ` (${form})`;
    warnings.push(
      `the signature ${name} meets no baseline profile${why}: it is preserved without a level`,
    );
  }
  return isReached ? { level: 'B-LTA' } : {};
}

/** Requires a proved signing time: a new time-stamp does not repair an expired signature. */
function requireProvedTime(name: string, report: AugmentedSignature['report']): void {
  const { indication, subIndication, findings } = report;
  // A trust anchor is trusted at any time, but its own signatures still need a proved time.
  const late = findLateSigner(name, report);
  if (late !== undefined) throw late;
  if (indication !== 'INDETERMINATE' || !/^(OUT_OF_BOUNDS|NO_POE$)/.test(subIndication ?? '')) {
    return;
  }
  const reason = findings.find(({ code }) => code === 'certificate.untrusted') ?? findings[0];
  const message = `the signature ${name}: ${reason?.message ?? 'its time is not proved'}`;
  throw new InnsigliError('certificate.expired', `${message}; nothing was written`, {
    hint: expiredHint,
  });
}

/** Error for a signer's certificate expired at the best-signature-time; undefined otherwise. */
export function findLateSigner(
  name: string,
  { signer, bestTime }: Pick<SignatureConclusion, 'signer' | 'bestTime'>,
): InnsigliError | undefined {
  if (signer === undefined || Date.parse(signer.notAfter) >= Date.parse(bestTime)) return undefined;
  const message = `the signature ${name}: its certificate expired at ${signer.notAfter}`;
  return new InnsigliError('certificate.expired', `${message}, before any proved time`, {
    hint: expiredHint,
  });
}

function noteConclusion(
  name: string,
  { indication, subIndication, findings }: AugmentedSignature['report'],
  warnings: string[],
): void {
  // Changes after a signature were already reported.
  const isTold = findings.some(({ code }) => code === 'document.changed');
  if (indication === 'TOTAL-PASSED' || isTold) return;
  const why = [indication, subIndication].filter(Boolean).join(' / ');
  warnings.push(`the signature ${name} is ${why} before and after: archiving does not change that`);
}

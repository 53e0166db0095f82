import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import type { RevocationRules } from '../../verify/existence/index.ts';
import { type VerificationContext, verifyIntegrity, verifyPdf } from '../../verify/pdf/index.ts';
import type {
  Finding,
  PdfVerificationReport,
  SignatureConclusion,
  SignatureReport,
} from '../../verify/report/index.ts';

/**
 * Revocation mode for verifying a new seal: only the data that the level promises is required,
 * which below B-LT is no revocation data. From B-LT on, the level itself requires valid responses.
 */
export const sealRules: RevocationRules = { mode: 'ignore' };

/**
 * Returns the intact signatures of the input; each other signature becomes a warning. Sealing
 * neither repairs a broken signature nor makes it worse.
 */
export function intactSignatures(
  file: PdfFile,
  signedCount: number,
  context: VerificationContext,
  warnings: string[],
): readonly SignatureReport[] {
  if (signedCount === 0) return [];
  const { signatures } = verifyPdf(file, { ...context, revocation: sealRules });
  for (const { intact, field, findings } of signatures) {
    const changed = findings.find(({ code }) => code === 'document.changed');
    if (intact && changed === undefined) continue;
    const reason = changed?.message ?? findings[0]?.message ?? 'not intact';
    const state = intact ? 'does not cover the current content' : 'was not intact';
    warnings.push(`the earlier signature "${field}" ${state}: ${reason}`);
  }
  return signatures.filter(({ intact }) => intact);
}

/** Expected properties of the new signature. */
export interface Expectation {
  readonly field: string;
  /** Undefined: any level, or none. */
  readonly level: SealLevel | undefined;
}

/**
 * Verifies a result from its bytes, like an independent verifier: every earlier signature is still
 * intact, and the new one is intact, covers the file as written, and has reached its level. Returns
 * a function that provides the report.
 *
 * The first seal at B-B claims only its own integrity: this is verified immediately, and the rest
 * of the report (path, claims, status) when it is requested.
 *
 * @throws pdf.signature.broken if an earlier signature would not survive
 * @throws seal.selfcheck.failed if the result is not what it claims to be
 */
export function checkResult(
  file: PdfFile,
  given: VerificationContext & { readonly pool: CertificatePool },
  earlier: readonly SignatureReport[],
  expected: Expectation | undefined,
): () => PdfVerificationReport {
  const context = { ...given, revocation: sealRules };
  if (expected?.level === 'B-B' && earlier.length === 0) {
    requireIntegrity(file, expected.field, context.pool);
    let known: PdfVerificationReport | undefined;
    return () => {
      known ??= verifyPdf(file, context);
      return known;
    };
  }
  const report = verifyPdf(file, context);
  requireSurvival(report, earlier);
  if (expected !== undefined) requireLevel(report, expected);
  return () => report;
}

function requireIntegrity(file: PdfFile, field: string, pool: CertificatePool): void {
  const made = verifyIntegrity(file, field, pool);
  if (made?.baseline === true && made.coverage === 'whole-file') return;
  throw failed(field, made?.findings);
}

function requireSurvival(report: PdfVerificationReport, earlier: readonly SignatureReport[]): void {
  for (const { field, byteRange, indication } of earlier) {
    const now = report.signatures.find(
      (signature) => signature.field === field && signature.byteRange.join() === byteRange.join(),
    );
    const isWorse = indication === 'TOTAL-PASSED' && now?.indication !== 'TOTAL-PASSED';
    if (now?.intact === true && !isWorse) continue;
    const message = `"${field}" would become invalid; nothing was written`;
    throw new InnsigliError('pdf.signature.broken', message);
  }
}

function requireLevel(report: PdfVerificationReport, { field, level }: Expectation): void {
  const made = report.signatures.find((signature) => signature.field === field);
  if (made?.intact !== true || made.coverage === 'partial') throw failed(field, made?.findings);
  requirePassed(made, level, (findings) => failed(field, findings));
  if (level === undefined || reachesLevel(made.level, level)) return;
  const found = made.level ?? 'none';
  const reason = made.findings.map(({ message }) => message).join('; ');
  const message = `expected level ${level}, found ${found}. ${reason}`;
  throw new InnsigliError('seal.selfcheck.failed', message);
}

/**
 * Requires TOTAL-PASSED in the report on a new signature, or a conclusion that depends only on the
 * user's trust: signing does not require a trust anchor. From B-LT on, every revocation status must
 * be known.
 *
 * @param level the requested level; undefined: any
 * @throws the error that `failed` creates from the findings
 */
export function requirePassed(
  made: SignatureConclusion,
  level: SealLevel | undefined,
  failed: (findings: readonly Finding[]) => InnsigliError,
): void {
  const { indication, subIndication, findings } = made;
  const isUnknown = ({ code }: Finding) => code === 'revocation.unknown';
  const unknown = reachesLevel(level, 'B-LT') ? findings.filter(isUnknown) : [];
  if (unknown.length > 0) throw failed(unknown);
  if (indication === 'TOTAL-PASSED' || subIndication === 'NO_CERTIFICATE_CHAIN_FOUND') return;
  // Below B-LT, unknown revocation is not the cause of the failure.
  throw failed(findings.filter((one) => !isUnknown(one)));
}

function failed(field: string, findings: readonly Finding[] = []): InnsigliError {
  const reason = findings[0]?.message ?? 'the signature was not found';
  return new InnsigliError('seal.selfcheck.failed', `the new signature "${field}": ${reason}`);
}

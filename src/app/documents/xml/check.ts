import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import type { XmlDocument } from '../../../formats/xml/index.ts';
import { ecdsaDerFromRaw, namespaces } from '../../../formats/xmldsig/index.ts';
import type { Signer } from '../../../seal/ports.ts';
import type { SignedXades } from '../../../seal/xades/index.ts';
import { verifySignature } from '../../../trust/signature.ts';
import type { XmlSignatureReport, XmlVerificationReport } from '../../../verify/report/index.ts';
import { verifyXmlDocument } from '../../../verify/xml/index.ts';
import { requirePassed, sealRules } from '../check-result.ts';
import type { checkContext } from '../seal-ports.ts';

/** Anchors, certificates and time for checking XML signatures, and the files beside them. */
export interface XmlCheckContext extends ReturnType<typeof checkContext> {
  readonly findFile?: ((uri: string) => Uint8Array | undefined) | undefined;
}

/** The conclusion on every signature of a document. */
export function checkXml(
  document: XmlDocument,
  { findFile, ...context }: XmlCheckContext,
): XmlVerificationReport {
  return verifyXmlDocument(document, {
    ...context,
    revocation: sealRules,
    ...defined({ findFile }),
  });
}

/**
 * The signatures that a document carries and that are intact; each that is not becomes a warning.
 * Sealing cannot mend a broken signature and does not make it worse.
 */
export function intactXmlSignatures(
  document: XmlDocument,
  context: XmlCheckContext,
  warnings: string[],
): readonly XmlSignatureReport[] {
  if (document.findAll(namespaces.dsig, 'Signature').length === 0) return [];
  const { signatures } = checkXml(document, context);
  for (const report of signatures) {
    if (report.intact) continue;
    const reason = report.findings[0]?.message ?? 'not intact';
    warnings.push(`the earlier signature ${nameOf(report)} was not intact: ${reason}`);
  }
  return signatures.filter(({ intact }) => intact);
}

/** The name of a signature in messages. */
export function nameOf({ id, offsetBytes }: XmlSignatureReport): string {
  return id === undefined ? `at byte ${offsetBytes}` : `"${id}"`;
}

/**
 * Requires that each earlier signature is still intact.
 *
 * @param moved the byte of the result at which something stands that began at a byte of the input
 * @throws xml.signature.broken
 */
export function requireXmlSurvival(
  { signatures }: XmlVerificationReport,
  earlier: readonly XmlSignatureReport[],
  moved: (offsetBytes: number) => number,
): void {
  for (const signature of earlier) {
    const offset = moved(signature.offsetBytes);
    const now = signatures.find(({ offsetBytes }) => offsetBytes === offset);
    if (now?.intact === true) continue;
    const message = `the signature ${nameOf(signature)} would become invalid; nothing was written`;
    throw new InnsigliError('xml.signature.broken', message, {
      hint: 'it covers the position of the new signature: choose enveloping or detached',
    });
  }
}

/**
 * Requires that the new signature is intact and at its level.
 *
 * @throws seal.selfcheck.failed
 */
export function requireXmlLevel(
  { signatures }: XmlVerificationReport,
  offset: number,
  level: SealLevel,
): void {
  const made = signatures.find(({ offsetBytes }) => offsetBytes === offset);
  const reason = made?.findings.map(({ message }) => message).join('; ') ?? 'it was not found';
  if (made?.intact !== true) throw failed(reason);
  requirePassed(made, level, () => failed(reason));
  if (reachesLevel(made.level, level)) return;
  throw failed(`expected level ${level}, found ${made.level ?? 'none'}. ${reason}`);
}

function failed(reason: string): InnsigliError {
  return new InnsigliError('seal.selfcheck.failed', `the new signature: ${reason}`);
}

/**
 * Requires that the signature value is one of what was signed by the key of the certificate, before
 * time-stamps are asked for. The digests are verified in the finished document.
 *
 * @throws seal.selfcheck.failed
 */
export function requireSoundValue(
  { signedBytes, value }: SignedXades,
  { algorithm }: Signer,
  certificate: Certificate,
): void {
  const signature = algorithm.scheme === 'ecdsa' ? ecdsaDerFromRaw(value) : value;
  if (signature && verifySignature(algorithm, certificate, signedBytes, signature)) return;
  throw failed('its value does not match the key of the certificate');
}

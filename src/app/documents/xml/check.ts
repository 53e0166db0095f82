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

/** Trust anchors, certificates and time for verifying XML signatures, and their detached files. */
export interface XmlCheckContext extends ReturnType<typeof checkContext> {
  readonly findFile?: ((uri: string) => Uint8Array | undefined) | undefined;
}

/** Verifies every signature of a document. */
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
 * Returns the intact signatures of a document; each other signature becomes a warning. Sealing
 * neither repairs a broken signature nor makes it worse.
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
 * @param moved maps a byte offset of the input to that in the result
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
 * Requires that the new signature is intact and has reached its level.
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
 * Verifies the signature value with the key of the certificate before time-stamps are requested.
 * The digests are verified in the finished document.
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

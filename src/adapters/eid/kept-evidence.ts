import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidShownLogin,
  type EidTrust,
} from '../../app/ports/index.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { answerFault } from './provider-answer.ts';

/** A finding of evidence that holds. */
export function shown(name: string, message: string): EidFinding {
  return { name, isOk: true, message };
}

/** The bytes of a member of evidence. @throws EidError `invalidResponse` when it is missing */
export function keptBytes(text: string | undefined, what: string): Uint8Array {
  const bytes = Buffer.from(text ?? '', 'base64');
  if (bytes.length === 0) throw answerFault(`the evidence: expected ${what}`);
  return new Uint8Array(bytes);
}

/**
 * What kept evidence says of the path of a certificate at the end of a login.
 *
 * @throws EidError `invalidResponse`; `certificateErr` when the certificate was revoked
 */
export function shownPath(
  path: readonly Uint8Array[],
  { ocsp }: EidEvidence,
  { endedAtMs }: Pick<EidShownLogin, 'endedAtMs'>,
  trust: EidTrust,
): readonly EidFinding[] {
  const at = isoTime(endedAtMs);
  const certified = shown('certificate', `its path ended at an anchor of the provider on ${at}`);
  if (ocsp === undefined) {
    return [certified, shown('revocation', 'no OCSP response was stored: not checked')];
  }
  const [certificate, issuer] = path;
  if (certificate === undefined || issuer === undefined) {
    throw answerFault('the evidence: the certificate has no issuer');
  }
  const response = keptBytes(ocsp, 'an OCSP response');
  const { status, producedAtMs } = trust.checkOcsp(response, certificate, issuer, endedAtMs);
  if (status !== 'good') throw new EidError('certificateErr', `the certificate was ${status}`);
  const produced = isoTime(producedAtMs);
  return [certified, shown('revocation', `the certificate was good on ${produced}`)];
}

import {
  EidError,
  type EidEvidence,
  type EidFinding,
  type EidShownLogin,
  type EidTrust,
} from '../../app/ports/index.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { responseFault } from './provider-answer.ts';

/** A positive finding about evidence. */
export function shown(name: string, message: string): EidFinding {
  return { name, isOk: true, message };
}

/** Decodes a base64 member of evidence. @throws EidError `invalidResponse` if it is missing */
export function decodeEvidence(text: string | undefined, what: string): Uint8Array {
  const bytes = Buffer.from(text ?? '', 'base64');
  if (bytes.length === 0) throw responseFault(`the evidence: expected ${what}`);
  return new Uint8Array(bytes);
}

/**
 * Findings on the certification path in stored evidence, as of the end of the login.
 *
 * @throws EidError `invalidResponse`; `certificateErr` if the certificate was revoked
 */
export function pathFindings(
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
    throw responseFault('the evidence: the certificate has no issuer');
  }
  const response = decodeEvidence(ocsp, 'an OCSP response');
  const { status, producedAtMs } = trust.checkOcsp(response, certificate, issuer, endedAtMs);
  if (status !== 'good') throw new EidError('certificateErr', `the certificate was ${status}`);
  const produced = isoTime(producedAtMs);
  return [certified, shown('revocation', `the certificate was good on ${produced}`)];
}

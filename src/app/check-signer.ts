import { CoreError } from '../base/errors.ts';
import { type Certificate, describeName, parseCertificate } from '../formats/x509/index.ts';
import type { Signer } from '../seal/ports.ts';
import { checkSigningPurpose } from '../trust/purpose.ts';

const parsed = new WeakMap<Signer, Certificate>();

/**
 * The parsed certificate of a signer that may sign now.
 *
 * @throws key.expired, key.notyetvalid, key.usage.forbidden, x509.invalid
 */
export function requireUsableSigner(signer: Signer, nowMs: number): Certificate {
  let certificate = parsed.get(signer);
  if (certificate === undefined) {
    certificate = parseCertificate(signer.certificate);
    parsed.set(signer, certificate);
  }
  if (nowMs > certificate.notAfterMs + 999) {
    throw outOfValidity(certificate, 'key.expired', 'expired on', certificate.notAfterMs);
  }
  if (nowMs < certificate.notBeforeMs) {
    throw outOfValidity(
      certificate,
      'key.notyetvalid',
      'is not valid before',
      certificate.notBeforeMs,
    );
  }
  const [finding] = checkSigningPurpose(certificate);
  if (finding !== undefined) {
    const subject = describeName(certificate.subjectDer);
    throw new CoreError('key.usage.forbidden', `${subject}: ${finding}`, {
      hint: 'its key usage must allow it: openssl req -x509 … -addext keyUsage=digitalSignature',
    });
  }
  return certificate;
}

function outOfValidity(
  certificate: Certificate,
  code: 'key.expired' | 'key.notyetvalid',
  relation: string,
  timeMs: number,
): CoreError {
  const subject = describeName(certificate.subjectDer);
  const time = new Date(timeMs).toISOString();
  return new CoreError(code, `the certificate of ${subject} ${relation} ${time}`, {
    details: { time },
    hint: 'use a certificate that is valid now, or check the clock of this machine',
  });
}

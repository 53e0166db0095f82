import { createHash } from 'node:crypto';
import { type EidEnvironment, EidError } from '../../app/ports/index.ts';
import { equalBytes } from '../../base/bytes.ts';
import { der } from '../../formats/asn1/index.ts';
import { buildOcspRequest, parseCertificate } from '../../formats/x509/index.ts';
import { answerFault, requireService } from './provider-answer.ts';

/** A response may be older by this much: responders answer from what they have prepared. */
const OLDEST_MS = 24 * 3_600_000;

/**
 * Asks an OCSP responder for the first certificate of a verified path; gives its response.
 *
 * @throws EidError `certificateErr` unless the certificate is good; `providerUnavailable` when the
 *   responder may be asked again
 * @spec RFC 6960 §4.1, RFC 9654
 */
export async function requireGood(
  path: readonly Uint8Array[],
  url: string,
  timeoutMs: number,
  { http, random, trust, now }: EidEnvironment,
): Promise<Uint8Array> {
  const [certificate, issuer] = path;
  if (certificate === undefined || issuer === undefined) {
    throw answerFault('the certificate of the answer has no issuer to ask for');
  }
  const nonce = random(32);
  const { subjectDer, publicKeyBits } = parseCertificate(issuer);
  const id = {
    digest: 'sha1',
    issuerNameHash: sha1(subjectDer),
    issuerKeyHash: sha1(publicKeyBits),
    serialNumber: parseCertificate(certificate).serialNumber,
  } as const;
  const answer = await http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/ocsp-request' },
    body: buildOcspRequest([id], der.octetString(nonce)),
    timeoutMs,
  });
  requireService(answer);
  if (answer.status !== 200) throw answerFault(`the OCSP responder answered ${answer.status}`);
  const said = trust.checkOcsp(answer.body, certificate, issuer, now());
  if (said.status !== 'good') {
    throw new EidError('certificateErr', `the certificate of the answer is ${said.status}`);
  }
  // Responders that answer from what they have prepared leave the nonce out.
  const isOwn = said.nonce === undefined || equalBytes(said.nonce, nonce);
  if (!isOwn || now() - said.producedAtMs > OLDEST_MS) {
    throw answerFault('the OCSP response is not one to this request');
  }
  return answer.body;
}

function sha1(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha1').update(bytes).digest());
}

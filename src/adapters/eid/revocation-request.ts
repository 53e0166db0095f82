import { type EidEnvironment, EidError, type EidFinding } from '../../app/ports/index.ts';
import { equalBytes } from '../../base/bytes.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { der } from '../../formats/asn1/index.ts';
import { buildOcspRequest, ocspCertificateId, parseCertificate } from '../../formats/x509/index.ts';
import { finding } from './findings.ts';
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
async function requireGood(
  path: readonly Uint8Array[],
  url: string,
  timeoutMs: number,
  { http, random, trust, now }: EidEnvironment,
): Promise<Uint8Array> {
  const [certificate, issuer] = path;
  if (certificate === undefined || issuer === undefined) {
    throw answerFault('the certificate in the response has no issuer to ask about');
  }
  const nonce = random(32);
  const id = ocspCertificateId(parseCertificate(certificate), parseCertificate(issuer));
  const answer = await http({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/ocsp-request' },
    body: buildOcspRequest([id], der.octetString(nonce)),
    timeoutMs,
    isSigned: true,
  });
  requireService(answer);
  if (answer.status !== 200) throw answerFault(`the OCSP responder returned ${answer.status}`);
  const said = trust.checkOcsp(answer.body, certificate, issuer, now());
  if (said.status !== 'good') {
    throw new EidError('certificateErr', `the certificate in the response is ${said.status}`);
  }
  // Responders that answer from what they have prepared leave the nonce out.
  const isOwn = said.nonce === undefined || equalBytes(said.nonce, nonce);
  if (!isOwn || now() - said.producedAtMs > OLDEST_MS) {
    throw answerFault('the OCSP response does not match this request');
  }
  return answer.body;
}

/**
 * `ask`: a responder is asked whether a certificate is revoked; one that names neither responder
 * nor CRL counts. `provider`: nobody is asked, the provider has to.
 */
export type RevocationChoice = 'ask' | 'provider';

/** Certificates that those of persons lead to, and how their status is learnt. */
export interface PathOptions {
  /** Certificates, DER, that paths of persons end at: the issuing CA, or its root. */
  readonly anchors: readonly Uint8Array[];
  /** Certificates, DER, between persons and anchors, where answers lack them. Default: none. */
  readonly intermediates?: readonly Uint8Array[];
  /**
   * OCSP responder of the issuing CA, which is asked at every login and signature. Default: the
   * responders, or else CRLs, that the certificate names.
   */
  readonly ocspUrl?: string;
  /** `provider`: whether a certificate is revoked is left to the provider. Default: `ask`. */
  readonly revocation?: RevocationChoice;
}

/** How the status of certificates is learnt. */
export interface RevocationOptions extends Pick<PathOptions, 'ocspUrl' | 'revocation'> {
  /** Time for each request. */
  readonly timeoutMs: number;
}

/**
 * Learns whether the first certificate of a verified path is good; gives the OCSP response, where
 * one has said so.
 *
 * @throws EidError `certificateErr` unless it is; `providerUnavailable` when nobody has answered
 */
export async function learnStatus(
  path: readonly Uint8Array[],
  { ocspUrl, revocation = 'ask', timeoutMs }: RevocationOptions,
  environment: EidEnvironment,
): Promise<Uint8Array | undefined> {
  if (revocation === 'provider') return undefined;
  if (ocspUrl !== undefined) return requireGood(path, ocspUrl, timeoutMs, environment);
  const [certificate, issuer] = path;
  const { findStatus, trust, now } = environment;
  if (certificate === undefined || issuer === undefined || findStatus === undefined) {
    return undefined;
  }
  const data = await findStatus(certificate, issuer);
  if (data.ocsp.length === 0 && data.crls.length === 0) return undefined;
  const status = trust.checkStatus(data, certificate, issuer, now());
  if (status === 'good') return data.ocsp[0];
  throw new EidError('certificateErr', `the certificate in the response is ${status}`);
}

/** What an operator should know of {@link RevocationOptions}. */
export function revocationFinding({
  ocspUrl,
  revocation = 'ask',
}: Pick<RevocationOptions, 'ocspUrl' | 'revocation'>): EidFinding {
  const name = 'revocation';
  if (revocation === 'provider') {
    return finding(name, true, 'the provider checks it; no OCSP responder or CRL is queried');
  }
  if (revocation !== 'ask') return finding(name, false, 'revocation: expected ask or provider');
  if (ocspUrl === undefined) {
    const message =
      'the OCSP responder or CRL named by each certificate is queried; the provider checks ' +
      'certificates without one';
    return { name, isOk: true, message };
  }
  const isOk = isUrl(ocspUrl) && /^https?:$/.test(new URL(ocspUrl).protocol);
  const message = isOk
    ? `the responder ${new URL(ocspUrl).host} is queried for each certificate`
    : 'ocspUrl: expected an http or https address';
  return { name, isOk, message };
}

import { type EidEnvironment, EidError, type EidFinding } from '../../app/ports/index.ts';
import { equalBytes } from '../../base/bytes.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { der } from '../../formats/asn1/index.ts';
import { buildOcspRequest, ocspCertificateId, parseCertificate } from '../../formats/x509/index.ts';
import { finding } from './findings.ts';
import { requireService, responseFault } from './provider-answer.ts';

/** Maximum age of an OCSP response, because responders may return pre-produced responses. */
const OLDEST_MS = 24 * 3_600_000;

/**
 * Requests and returns the OCSP response for the first certificate of a verified path.
 *
 * @throws EidError `certificateErr` unless the certificate is good; `providerUnavailable` if the
 *   request may be retried
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
    throw responseFault('the certificate in the response has no issuer to ask about');
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
  if (answer.status !== 200) throw responseFault(`the OCSP responder returned ${answer.status}`);
  const said = trust.checkOcsp(answer.body, certificate, issuer, now());
  if (said.status !== 'good') {
    throw new EidError('certificateErr', `the certificate in the response is ${said.status}`);
  }
  // Pre-produced responses have no nonce.
  const isOwn = said.nonce === undefined || equalBytes(said.nonce, nonce);
  if (!isOwn || now() - said.producedAtMs > OLDEST_MS) {
    throw responseFault('the OCSP response does not match this request');
  }
  return answer.body;
}

/**
 * `ask`: the revocation status is requested; a certificate that names neither an OCSP responder nor
 * a CRL is accepted. `provider`: nothing is requested, the check is left to the provider.
 */
export type RevocationChoice = 'ask' | 'provider';

/** Trust anchors and revocation checking for the certificates of persons. */
export interface PathOptions {
  /** Trust anchors of certification paths, DER: the issuing CA or its root. */
  readonly anchors: readonly Uint8Array[];
  /** Intermediate certificates missing from responses, DER. Default: none. */
  readonly intermediates?: readonly Uint8Array[];
  /**
   * OCSP responder of the issuing CA, queried at every login and signature. Default: the
   * responders, or else the CRLs, named in the certificate.
   */
  readonly ocspUrl?: string;
  /** `provider`: revocation checking is left to the provider. Default: `ask`. */
  readonly revocation?: RevocationChoice;
}

/** Options for revocation checking. */
export interface RevocationOptions extends Pick<PathOptions, 'ocspUrl' | 'revocation'> {
  /** Timeout of each request. */
  readonly timeoutMs: number;
}

/**
 * Checks that the first certificate of a verified path is not revoked. Returns the OCSP response if
 * one was used.
 *
 * @throws EidError `certificateErr` unless the certificate is good; `providerUnavailable` if there
 * is no response
 */
export async function requireNotRevoked(
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

/** Finding for the operator about {@link RevocationOptions}. */
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

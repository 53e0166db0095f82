import { type KeyObject, sign } from 'node:crypto';
import { createDigest, equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/errors.ts';
import {
  buildCrl,
  buildOcspFailure,
  buildOcspResponse,
  type Certificate,
  digestLengths,
  type OcspCertificateId,
  parseOcspRequest,
} from '../../formats/x509/index.ts';
import { algorithmOf, keyIdOf } from './issue.ts';

const DAY_MS = 24 * 3_600_000;
/** Validity of OCSP responses and CRLs in days. */
const ANSWER_DAYS = 7;
const ROOT_CRL_DAYS = 90;

/** A certificate of the PKI with its private key. */
export interface KeyHolder {
  readonly certificate: Certificate;
  readonly privateKey: KeyObject;
}

/** Signs a CRL without entries by this issuer. Its `thisUpdate` is `nowMs` in whole seconds. */
export function signCrl(issuer: KeyHolder, nowMs: number): Uint8Array {
  const thisUpdateMs = Math.floor(nowMs / 1000) * 1000;
  const algorithm = algorithmOf(issuer.privateKey);
  const isRoot = equalBytes(issuer.certificate.subjectDer, issuer.certificate.issuerDer);
  return buildCrl(
    {
      issuerDer: issuer.certificate.subjectDer,
      thisUpdateMs,
      nextUpdateMs: thisUpdateMs + (isRoot ? ROOT_CRL_DAYS : ANSWER_DAYS) * DAY_MS,
      crlNumber: thisUpdateMs / 1000,
      authorityKeyId: keyIdOf(issuer.certificate),
      algorithm,
      revoked: [],
    },
    (tbsDer) => sign(algorithm.digest, tbsDer, issuer.privateKey),
  );
}

/** An OCSP responder and the issuer of the certificates it is responsible for. */
export interface OcspResponder {
  readonly responder: KeyHolder;
  readonly issuer: Certificate;
  /** Whether the issuer issued a certificate with this serial number. */
  isKnown(serialNumber: Uint8Array): boolean;
}

/** Signs an OCSP response with each certificate's status: good if issued here, else unknown. */
export function signOcspResponse(
  desk: OcspResponder,
  ids: readonly OcspCertificateId[],
  nowMs: number,
  nonce?: Uint8Array,
): Uint8Array {
  const { responder } = desk;
  const thisUpdateMs = Math.floor(nowMs / 1000) * 1000;
  const algorithm = algorithmOf(responder.privateKey);
  return buildOcspResponse(
    {
      responderKeyHash: keyIdOf(responder.certificate),
      producedAtMs: thisUpdateMs,
      responses: ids.map((certificateId) => ({
        certificateId,
        status: isOurs(desk, certificateId) ? 'good' : 'unknown',
        thisUpdateMs,
        nextUpdateMs: thisUpdateMs + ANSWER_DAYS * DAY_MS,
      })),
      certificates: [responder.certificate.der],
      ...defined({ nonce }),
      algorithm,
    },
    (tbsDer) => sign(algorithm.digest, tbsDer, responder.privateKey),
  );
}

function isOurs({ issuer, isKnown }: OcspResponder, id: OcspCertificateId): boolean {
  if (id.issuerNameHash.length !== digestLengths[id.digest]) return false;
  const digest = (bytes: Uint8Array) => createDigest(id.digest).update(bytes).digest();
  return (
    equalBytes(digest(issuer.subjectDer), id.issuerNameHash) &&
    equalBytes(digest(issuer.publicKeyBits), id.issuerKeyHash) &&
    isKnown(id.serialNumber)
  );
}

/** Answers an external OCSP request with a signed response or the reason for a failure. */
export function answerOcspRequest(
  desk: OcspResponder,
  request: Uint8Array,
  nowMs: number,
): Uint8Array {
  const answer = attempt(() => {
    const { certificateIds, nonce } = parseOcspRequest(request);
    if (certificateIds.length > MAX_CERTIFICATE_IDS) return undefined;
    return signOcspResponse(desk, certificateIds, nowMs, nonce);
  });
  return answer ?? buildOcspFailure('malformedRequest');
}

const MAX_CERTIFICATE_IDS = 64;
